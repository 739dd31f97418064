/** Tools that are found when they are asked for. */
export interface ToolSearchQuery {
  readonly query?: string;
  readonly source?: string;
  readonly limit?: number;
}

export interface ToolSearchContext {
  readonly sessionId?: string;
  readonly spaceId?: string;
  readonly cwd?: string;
}

export interface ToolSearchResult {
  /** As the model is told it. */
  readonly toolName: string;
  readonly title?: string;
  readonly description?: string;
  readonly source?: string;
}

export interface ToolSearchProvider {
  readonly id: string;
  readonly description?: string;
  search(query: ToolSearchQuery, ctx: ToolSearchContext): Promise<ToolSearchResult[]>;
}
