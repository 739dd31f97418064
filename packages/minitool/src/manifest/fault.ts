/** What is wrong with a manifest: where, as a JSON pointer into its file, and what is wanted there. */
export type ManifestFault = { readonly pointer: string; readonly wanted: string };
