/** Hands bytes to the browser to be stored as a file. */
export const saveAs = (bytes: Blob, name: string): void => {
  const url = URL.createObjectURL(bytes);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has begun by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
};
