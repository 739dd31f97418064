/** How `demo:welcome` understands a message. Patterns, in English and Chinese; deterministic. */
import { firstCodePoints } from '@turnkeeper/core/protocol/content';
import type { Quote, Topic } from './welcome-texts.ts';

const asksTime =
  /\b(?:what(?:'s| is)? (?:the )?(?:current )?(?:time|date)|what day|time is it|current time|tell me the time|time now|clock)\b|几点|什么时间|什么时候了|现在.{0,4}时间|当前时间|日期|几号|星期几/iu;
const greets = /^\W*(?:hi|hello|hey|good (?:morning|afternoon|evening)|welcome|greetings)\b|^(?:你好|您好|嗨|哈喽|大家好|早上好|下午好|晚上好)/iu;
const asksHelp = /\bhelp\b|what can you do|who are you|how does this work|帮助|帮忙|你会什么|你能做什么|你是谁|怎么用/iu;
const thanks = /\b(?:thanks|thank you|thx)\b|谢谢|多谢|感谢/iu;
const wantsLong = /\b(?:story|long (?:answer|text)|essay)\b|故事|长文|文章|长一点/iu;

/** A number, then at least one operator and number; brackets where they like. */
const sum = /[(（]*[-−]?\d[\d.,]*[)）]*(?:\s*(?:\*\*|[-+*/×÷^%−x])\s*[(（]*[-−]?\d[\d.,]*[)）]*)+/u;

const ascii: Readonly<Record<string, string>> = { '（': '(', '）': ')', '×': '*', x: '*', '÷': '/', '−': '-' };

/** The expression in a message, in plain ASCII; dates such as 2026-11-30 and telephone numbers are none. */
export const expressionIn = (text: string): string | undefined => {
  const found = sum.exec(text)?.[0];
  if (found === undefined || /^\d{4}-\d{1,2}-\d{1,2}$|^\d{2,}(?:-\d{2,})+$/.test(found)) return undefined;
  const plain = [...found]
    .map((character) => ascii[character] ?? character)
    .join('')
    .replace(/[.,]+(?=[)\s]|$)/g, '')
    .replace(/,(?=\d{3})/g, '');
  const open = plain.split('(').length - plain.split(')').length;
  return open === 0 ? plain.trim() : undefined;
};

export const wantsTime = (text: string): boolean => asksTime.test(text);

export const topicOf = (text: string): Topic => {
  if (wantsTime(text)) return 'time';
  if (expressionIn(text) !== undefined) return 'arithmetic';
  if (wantsLong.test(text)) return 'long';
  if (asksHelp.test(text)) return 'help';
  if (thanks.test(text)) return 'thanks';
  return greets.test(text) || text.trim() === '' ? 'greeting' : 'other';
};

export const quoteOf = (text: string): Quote => {
  const line = text.replace(/\s+/g, ' ').trim();
  const start = firstCodePoints(line, 80);
  return start === line ? line : `${start}…`;
};

/** The pieces in which an answer streams: a word with the space after it, or up to two Chinese characters with their punctuation. */
export const tokensOf = (text: string): readonly string[] => text.match(/\p{Script=Han}{1,2}[，。！？：；、”）]*|[^\s\p{Script=Han}]+\s*|\s+/gu) ?? [];
