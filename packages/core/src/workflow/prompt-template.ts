/** Texts with `{{ expression }}` in them. */
import type { Json } from '../protocol/json.ts';
import { limits } from '../protocol/wire/limits.ts';
import { type Evaluate, type Evaluated, type Position, positionIn, type Scope } from './expression-port.ts';

/** `offset`: where in the text the expression begins. */
export type PromptPart = { readonly text: string } | { readonly expression: string; readonly offset: number };
export type Prompt = { readonly ok: true; readonly parts: readonly PromptPart[] } | { readonly ok: false; readonly detail: string; readonly at: Position };

const begins = '{{';
const ends = '}}';

/** An expression ends at the first `}}` that is in no text of its own, and before which each brace of its own is closed. */
export const promptParts = (prompt: string): Prompt => {
  const parts: PromptPart[] = [];
  let from = 0;
  for (;;) {
    const start = prompt.indexOf(begins, from);
    if (start === -1) break;
    const inner = start + begins.length;
    let end = prompt.indexOf(ends, inner);
    while (end !== -1 && isWithin(prompt.slice(inner, end))) end = prompt.indexOf(ends, end + 1);
    if (end === -1) return { ok: false, detail: 'a {{ has no }} that ends it', at: positionIn(prompt, start) };
    const expression = prompt.slice(inner, end);
    if (expression.trim() === '') return { ok: false, detail: 'there is no expression between {{ and }}', at: positionIn(prompt, start) };
    if (start > from) parts.push({ text: prompt.slice(from, start) });
    parts.push({ expression: expression.trim(), offset: inner + expression.length - expression.trimStart().length });
    from = end + ends.length;
  }
  if (from < prompt.length) parts.push({ text: prompt.slice(from) });
  return { ok: true, parts };
};

/** Whether an expression that begins so goes on: it has an open quote, or an open brace. */
const isWithin = (beginning: string): boolean => {
  const bare = beginning.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '');
  return /["']/.test(bare) || [...bare].reduce((open, character) => open + (character === '{' ? 1 : character === '}' ? -1 : 0), 0) > 0;
};

/** A value as part of a text: a text as it is, anything else as JSON. */
export const asText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

export const filledPrompt = (prompt: string, evaluate: Evaluate, scope: Scope): Evaluated => {
  const read = promptParts(prompt);
  if (!read.ok) return read;
  let text = '';
  for (const part of read.parts) {
    if ('text' in part) text += part.text;
    else {
      const evaluated = evaluate(part.expression, scope);
      if (!evaluated.ok) return evaluated;
      text += asText(evaluated.value);
    }
    if (text.length > limits.textCharacters) return { ok: false, detail: `it is longer than ${limits.textCharacters} characters` };
  }
  return { ok: true, value: text };
};
