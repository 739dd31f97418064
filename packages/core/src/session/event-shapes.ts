/** What the data of many events begins with: where in the session they happened. */
import type { TurnId } from './ids.ts';

export type Of<Type extends string, Data> = { readonly type: Type; readonly data: Data };
export type InTurn = { readonly turn_id: TurnId };
export type InRun = InTurn & { readonly run_id: string };
export type InModelCall = InRun & { readonly item_id: string; readonly model_call_id: string };
export type InTool = InTurn & { readonly execution_id: string; readonly tool_call_id: string };
