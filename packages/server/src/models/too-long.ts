/** Whether a provider refused a request because it is too long for the model. Each says it in its own way. */
const codes: ReadonlySet<unknown> = new Set(['context_length_exceeded', 'exceed_context_size_error', 'request_too_large', 'model_context_window_exceeded']);

const words =
  /context (length|window|size)|maximum context|prompt is too long|input is too long|input token count|too many (input |prompt )?tokens|exceeds? the (maximum|available) (number of tokens|context)/i;

const member = (value: unknown, name: string): unknown => (typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined);

/** `data`: the error as the provider wrote it. `status`: 413 is about the size of the request, whatever it is called. */
export const saysTooLong = ({ status, said, data }: { readonly status?: number; readonly said?: string; readonly data?: unknown }): boolean => {
  const error = member(data, 'error') ?? data;
  if (['code', 'type'].some((name) => codes.has(member(error, name)))) return true;
  // A limit of tokens a minute is said in similar words, and passes by itself.
  if (status !== undefined && status !== 400 && status !== 413 && status !== 422) return false;
  return status === 413 || (said !== undefined && words.test(said));
};
