import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { Answering } from './use-answer.ts';

/** `input`: the arguments, where they stand nowhere else on the page. */
export type ResultFormProps = { readonly name: string; readonly input: JsonObject | undefined; readonly answering: Answering };
