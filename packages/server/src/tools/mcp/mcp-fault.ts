/** How a call of an MCP server fails. Apart from the connection, which is loaded with the first one only. */

/** A failure in words that may be shown. `stale`: the connection is of no use any more. `unheard`: the server did not take the call. */
export class McpFault extends Error {
  override readonly name = 'McpFault';
  readonly stale: boolean;
  readonly unheard: boolean;

  constructor(message: string, of: { readonly stale?: boolean; readonly unheard?: boolean } = {}) {
    super(message);
    this.stale = of.stale ?? false;
    this.unheard = of.unheard ?? false;
  }
}
