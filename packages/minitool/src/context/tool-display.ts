/** How a tool's call is shown beside its name. */
export type ToolInlineDisplayFormat = 'plain' | 'path' | 'quoted' | 'truncate';

export interface ToolInlineDisplayField {
  /** Where in the input, like `options.state`. */
  readonly path: string;
  readonly label?: string;
  readonly format?: ToolInlineDisplayFormat;
  readonly maxLength?: number;
}

export interface ToolInlineDisplaySpec {
  /** `single`: the first field that is not empty; `join`: all of them. */
  readonly mode?: 'single' | 'join';
  readonly fields: readonly ToolInlineDisplayField[];
  readonly separator?: string;
  /** Like `{owner}/{repo}`. */
  readonly template?: string;
}

export interface ToolCallDisplay {
  readonly inline?: ToolInlineDisplaySpec;
}
