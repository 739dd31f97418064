/** Forms that people fill in: while a tool runs, or in a dialog. */

/** One field. Its value stands under `key` in what is submitted. */
export interface MiniToolFormField {
  readonly key: string;
  readonly label: string;
  /** A `link` shows `label`, leads to `href` and has no value. */
  readonly type: 'text' | 'password' | 'textarea' | 'number' | 'select' | 'multiselect' | 'boolean' | 'link';
  readonly placeholder?: string;
  readonly description?: string;
  readonly required?: boolean;
  /** What stands there at first; of a `multiselect` the chosen values. */
  readonly default?: string | number | boolean | readonly string[];
  /** What can be chosen in a `select` or a `multiselect`. */
  readonly options?: ReadonlyArray<{ readonly value: string; readonly label: string }>;
  /** Shown as dots. Never give such a value back to the model. */
  readonly secret?: boolean;
  /** Part of a row. A `textarea` takes a whole one. */
  readonly width?: 'full' | '1/2' | '1/3' | '2/3';
  readonly href?: string;
}

export interface MiniToolFormSpec {
  readonly title: string;
  readonly description?: string;
  readonly submitLabel?: string;
  readonly cancelLabel?: string;
  readonly fields: MiniToolFormField[];
  /** Milliseconds until it is closed as `timeout`. Without it, it waits for a person or for the end of the turn. */
  readonly timeoutMs?: number;
}

export interface MiniToolFormResult {
  readonly submitted: boolean;
  /** By field; of a `multiselect` a list, empty where nothing was chosen. */
  readonly values: Record<string, string | number | boolean | string[]>;
  /** Why nothing was submitted. `background`: the session is one that nobody watches, and the form was not shown. */
  readonly reason?: 'cancelled' | 'timeout' | 'session-ended' | 'background';
}
