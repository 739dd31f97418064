/** What a page shows beyond itself, by name, as it stands in its address. */
export type Query = { readonly [name: string]: string };

export const readQuery = (params: URLSearchParams): Query => Object.fromEntries(params);

/** With a leading `?`; empty where there is nothing. Names without a value are left out. */
export const printQuery = (query: { readonly [name: string]: string | undefined }): string => {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== '') params.set(name, value);
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
};
