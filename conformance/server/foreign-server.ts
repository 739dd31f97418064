/** A server that runs already, named by the environment. */
export const foreignServer = (): { readonly url: string; readonly token: string } | undefined => {
  const url = process.env['TURNKEEPER_CONFORMANCE_URL']?.replace(/\/+$/, '');
  const token = process.env['TURNKEEPER_CONFORMANCE_TOKEN'];
  if (url === undefined) return undefined;
  if (token === undefined) throw new Error('TURNKEEPER_CONFORMANCE_URL wants TURNKEEPER_CONFORMANCE_TOKEN beside it: the token of an admin.');
  return { url, token };
};
