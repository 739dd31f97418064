/**
 * What people should know of a tool before they answer for a call of it.
 *
 * TF1 The name is what the call is really made under, and stands beside whatever a tool calls itself: a title is the tool's own word.
 */
import type { RequiredAction } from '@turnkeeper/core/session/events';

export type ToolFacts = {
  readonly name: string;
  /** What it calls itself, where that is something else than its name. */
  readonly title: string | undefined;
  /** Whose it is. `name`: the id, where no other is known. */
  readonly minitool: { readonly id: string; readonly name: string } | undefined;
  /** What it does cannot be undone. */
  readonly destructive: boolean;
  /** It says of itself that it is risky: it is asked for each time. */
  readonly dangerous: boolean;
};

/** Undefined where there is nothing to know beyond the name. */
export const toolFactsOf = ({ tool_call, tool_note }: Pick<RequiredAction, 'tool_call' | 'tool_note'>): ToolFacts | undefined => {
  if (!tool_note) return undefined;
  const name = tool_call?.name ?? '';
  const title = tool_note.title?.trim() || undefined;
  const id = tool_note.minitool;
  const facts: ToolFacts = {
    name,
    title: title === name ? undefined : title,
    minitool: id === undefined ? undefined : { id, name: tool_note.minitool_name?.trim() || id },
    destructive: tool_note.destructive === true,
    dangerous: tool_note.dangerous === true,
  };
  return facts.title !== undefined || facts.minitool || facts.destructive || facts.dangerous ? facts : undefined;
};
