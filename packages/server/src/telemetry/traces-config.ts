/** Where traces go to. Apart from what sends them, which is loaded only then. */
export type TracesConfig = {
  /** Where spans are posted to, as OTLP in JSON. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** Prompts, answers, arguments and results go along. */
  readonly content: boolean;
};
