/**
 * Stands in for rehype-raw and its HTML parser (vite.config.ts). HTML in what a model writes is shown as the text that
 * it is, so nothing has to be parsed.
 */
export const noRawHtml =
  () =>
  (tree: unknown): unknown =>
    tree;
// biome-ignore lint/style/noDefaultExport: the package that it stands in for has a default export
export default noRawHtml;
