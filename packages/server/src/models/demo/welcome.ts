/**
 * `demo:welcome`: the agent that greets a new user. It streams word by word, in the user's language, calls `time`
 * and `calculator` where the message asks for them and the agent has them, and says what they answered. “Show me
 * around.”, with which the Welcome session begins, gets the tour (tour.ts).
 */
import type { ToolResult } from '@turnkeeper/core/session/context';
import { type Clock, sleep } from '../../ports/clock.ts';
import type { ModelPart, ModelRequest, ToolSpec } from '../../ports/model.ts';
import type { DemoStream } from './demo-stream.ts';
import { freshResults, lastUserText, promptHash, resultText } from './prompt-reading.ts';
import { tourSection, wantsTour } from './tour.ts';
import { tourExpression } from './tour-texts.ts';
import { estimateUsage } from './usage.ts';
import { expressionIn, quoteOf, tokensOf, topicOf, wantsTime } from './welcome-reading.ts';
import { languageOf, textsIn } from './welcome-texts.ts';

const tokenMs = 30;
/** The tour is to be read while it is said: slower, with a breath behind each sentence and a longer one behind a paragraph. */
const tourTokenMs = 40;
const sentenceBreathMs = 120;
const paragraphBreathMs = 600;

type Call = { readonly name: string; readonly input: Readonly<Record<string, string>> };
type Plan = { readonly text: string; readonly calls: readonly Call[]; readonly pauseMs: (token: string) => number };

/** Tools differ in how they call their one argument: the schema's first required property, else the usual name. */
const argumentName = ({ inputSchema }: ToolSpec): string => {
  const required = inputSchema.required;
  const first = Array.isArray(required) ? required[0] : undefined;
  return typeof first === 'string' ? first : 'expression';
};

const planCalls = (text: string, tools: readonly ToolSpec[]): readonly Call[] => {
  const calculator = tools.find((tool) => tool.name === 'calculator');
  const expression = expressionIn(text);
  return [
    ...(wantsTime(text) && tools.some((tool) => tool.name === 'time') ? [{ name: 'time', input: {} }] : []),
    ...(calculator && expression !== undefined ? [{ name: 'calculator', input: { [argumentName(calculator)]: expression } }] : []),
  ];
};

const expressionOf = (request: ModelRequest, callId: string): string => {
  const asked = request.messages.findLast((message) => message.role === 'assistant')?.content ?? [];
  const call = asked.find((part) => part.type === 'tool_call' && part.id === callId);
  const values = call?.type === 'tool_call' ? Object.values(call.input) : [];
  return typeof values[0] === 'string' ? values[0] : '?';
};

const tell = (result: ToolResult, request: ModelRequest, texts: ReturnType<typeof textsIn>): string => {
  const text = quoteOf(resultText(result));
  if (result.isError) return texts.failed(result.name, text);
  if (result.name === 'time') return texts.time(text);
  return result.name === 'calculator' ? texts.calculator(expressionOf(request, result.callId), text) : texts.result(result.name, text);
};

const brisk = (): number => tokenMs;
const unhurried = (token: string): number => {
  if (token.endsWith('\n\n')) return tourTokenMs + paragraphBreathMs;
  return /[.!?:。！？：]\**\s*$/u.test(token) ? tourTokenMs + sentenceBreathMs : tourTokenMs;
};

const callOf = (tool: ToolSpec): Call =>
  tool.name === 'calculator' ? { name: tool.name, input: { [argumentName(tool)]: tourExpression } } : { name: tool.name, input: {} };

const plan = (request: ModelRequest, pid: number): Plan => {
  const text = lastUserText(request);
  const texts = textsIn(languageOf(text));
  const told = freshResults(request).map((result) => tell(result, request, texts));
  const section = wantsTour(text) ? tourSection(request, languageOf(text), pid) : undefined;
  if (section) {
    const calls = request.tools.filter(({ name }) => name === section.tool).map(callOf);
    return { text: [...told, section.text].join('\n\n'), calls, pauseMs: unhurried };
  }
  if (told.length > 0) return { text: [...told, texts.anythingElse].join('\n\n'), calls: [], pauseMs: brisk };
  const calls = planCalls(text, request.tools);
  return { text: calls.length > 0 ? texts.calling : texts.topics[topicOf(text)](quoteOf(text)), calls, pauseMs: brisk };
};

/** `pid`: of this server, which the tour says how to kill. */
export const createWelcome = (clock: Clock, pid: number): DemoStream =>
  async function* streamWelcome(request, signal): AsyncGenerator<ModelPart, void, undefined> {
    const { text, calls, pauseMs } = plan(request, pid);
    for (const token of tokensOf(text)) {
      yield { type: 'text_delta', text: token };
      await sleep(clock, pauseMs(token), signal);
    }
    const hash = calls.length === 0 ? '' : promptHash(request);
    let written = '';
    for (const [n, { name, input }] of calls.entries()) {
      const id = `call_${hash}_${n + 1}`;
      const whole = JSON.stringify(input);
      await sleep(clock, tokenMs, signal);
      yield { type: 'tool_call_start', id, name };
      yield { type: 'tool_call_delta', id, text: whole };
      yield { type: 'tool_call', id, name, arguments: whole };
      written += whole;
    }
    yield { type: 'finish', reason: calls.length > 0 ? 'tool_calls' : 'stop', usage: estimateUsage(request, text + written) };
  };
