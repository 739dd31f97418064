/** The server describes its API there; the page is none of the console's. */
export const docsAddress = '/docs';

export const openDocs = (): void => {
  window.open(docsAddress, '_blank', 'noopener');
};
