/** `turnkeeper answer [action]`: questions, forms, signals, results of tools, results that were lost. By options, or asked in the terminal. */
import type { OpenAction, ToolOutput } from '@turnkeeper/client/calls/actions';
import type { CommandReceipt } from '@turnkeeper/core/protocol/wire/actions';
import type { Question } from '@turnkeeper/core/session/events';
import { answerAction, type Dialogue } from '../chat/answer-action.ts';
import { type Answers, questionLines, readAnswer } from '../chat/answer-questions.ts';
import { closedMeanwhile, refuseClosed } from '../closed-action.ts';
import type { CommandContext } from '../command-context.ts';
import { type ExitCode, exitCodes, UsageError } from '../exit-codes.ts';
import { findAction } from '../find-action.ts';
import { actionText } from '../output/describe.ts';
import { programName } from '../program-name.ts';
import { askLine, canAsk } from '../prompt.ts';
import { readAll } from '../read-all.ts';
import { isYesOrNo } from '../yes-or-no.ts';
import { reportAnswer } from './approve.ts';
import { formValues, signalPayload } from './form-options.ts';

export type AnswerOptions = {
  /** `header=value`, one a question. */
  readonly answer?: readonly string[];
  /** Of the only question, word for word. */
  readonly text?: string;
  /** Of a tool; `-` reads standard input. */
  readonly output?: string;
  readonly error?: boolean;
  /** `name=value`, one a field of a form. */
  readonly value?: readonly string[];
  /** A form is handed back as it is. */
  readonly decline?: boolean;
  /** Of a signal, as JSON. */
  readonly payload?: string;
  readonly outcome?: 'succeeded' | 'failed';
  readonly reason?: string;
};

const wanted: { readonly [kind: string]: string } = {
  external_execution: '--output <text> (with --error when the tool failed)',
  form: '--value <name=value> for each field, or --decline',
  signal: '--payload <json>',
  reconciliation: '--outcome succeeded|failed, --reason <how you know>, and --output <its result>',
};

/** What is missing where nobody can be asked: for questions each with what it offers. */
const wantedText = ({ request_id, kind, questions = [] }: OpenAction): string => {
  if (kind !== 'question') return `${request_id} (${kind}) wants ${wanted[kind] ?? 'an answer'}.`;
  const each = questions.flatMap((question) => [`--answer "${question.header}=…"`, ...questionLines(question).map((line) => `    ${line}`)]);
  return `${request_id} wants an answer to each question:\n  ${each.join('\n  ')}`;
};

type Questions = readonly Question[];

/**
 * The question that `header=value` names. Where there is one question its header may be left out; but what looks like a
 * header must be one: a misspelt one must not become part of the answer.
 */
const questionOf = (questions: Questions, text: string): { readonly question: Question; readonly value: string } => {
  const named = questions.find(({ header }) => text.startsWith(`${header}=`));
  if (named) return { question: named, value: text.slice(named.header.length + 1) };
  const [only, ...others] = questions;
  const isPlain = !text.includes('=') || only?.options.some(({ label }) => label === text) === true;
  if (only && others.length === 0 && isPlain) return { question: only, value: text };
  const literal = others.length === 0 ? '. An answer that holds a "=" itself: --text <answer>' : '';
  throw new UsageError(`--answer "${text}" names no question. Headers: ${questions.map(({ header }) => header).join(', ')}${literal}`);
};

/** `--text`: to the only question, as it stands. */
const literalAnswer = ({ questions = [] }: OpenAction, text: string): Answers => {
  const [only, ...others] = questions;
  if (!only || others.length > 0) throw new UsageError(`--text answers a single question; here are ${questions.length}: use --answer <header=value> for each.`);
  if (text.trim() === '') throw new UsageError('--text is empty.');
  return { [only.header]: only.multi_select ? [text] : text };
};

/** By header. */
const answersOf = (action: OpenAction, given: readonly string[]): Answers => {
  const questions = action.questions ?? [];
  const answers: { [header: string]: string | readonly string[] } = {};
  for (const text of given) {
    const { question, value } = questionOf(questions, text);
    const answer = readAnswer(value, question);
    if (answer === undefined) throw new UsageError(`--answer for ${question.header}: there are options 1 to ${question.options.length}, or words.`);
    answers[question.header] = answer;
  }
  const missing = questions.filter(({ header }) => !Object.hasOwn(answers, header));
  if (missing.length > 0) throw new UsageError(`No answer for: ${missing.map(({ header }) => header).join(', ')}`);
  return answers;
};

const outputOf = async ({ io }: CommandContext, text: string): Promise<ToolOutput> => (text === '-' ? (await readAll(io)).replace(/\r?\n$/, '') : text);

const byOptions = async (context: CommandContext, action: OpenAction, options: AnswerOptions): Promise<CommandReceipt | undefined> => {
  const { actions } = context.client;
  const { answer, text, output, outcome, reason } = options;
  switch (action.kind) {
    case 'question':
      if (text !== undefined && answer !== undefined) throw new UsageError('--answer or --text, not both.');
      if (text !== undefined) return actions.answer(action, literalAnswer(action, text));
      return answer === undefined ? undefined : actions.answer(action, answersOf(action, answer));
    case 'external_execution':
      if (output === undefined) return undefined;
      return options.error ? actions.fail(action, await outputOf(context, output)) : actions.complete(action, await outputOf(context, output));
    case 'reconciliation':
      if (outcome === undefined || !reason) return undefined;
      return actions.reconcile(action, { outcome, reason, output: await outputOf(context, output ?? '') });
    case 'form':
      if (options.value !== undefined && options.decline) throw new UsageError('--value or --decline, not both.');
      if (options.decline) return actions.decline(action);
      return options.value === undefined ? undefined : actions.fillIn(action, formValues(action, options.value));
    case 'signal':
      return options.payload === undefined ? undefined : actions.signal(action, signalPayload(options.payload));
    case 'confirmation':
    case 'approval':
      throw new UsageError(`${action.request_id} wants a yes or a no: ${programName} approve ${action.request_id}, or deny`);
  }
};

/** Which kind the options are for. */
const meantKind = ({ answer, text, output, outcome, value, decline, payload }: AnswerOptions): OpenAction['kind'] | undefined => {
  if (answer || text !== undefined) return 'question';
  if (value || decline) return 'form';
  if (payload !== undefined) return 'signal';
  if (outcome) return 'reconciliation';
  return output === undefined ? undefined : 'external_execution';
};

const isMeant = (options: AnswerOptions) => {
  const kind = meantKind(options);
  return (action: OpenAction): boolean => (kind === undefined ? !isYesOrNo(action) : action.kind === kind);
};

const byDialogue = async (context: CommandContext, action: OpenAction): Promise<CommandReceipt | undefined> => {
  const { io, client } = context;
  const show = (line: string): void => {
    io.stderr.write(`${line}\n`);
  };
  const dialogue: Dialogue = { ask: (question, how) => askLine(io, question, how), show, refuse: (_text, words) => show(`please answer ${words}`) };
  // A form says itself what it is for; whose it is it does not.
  if (action.kind !== 'question' && (action.kind !== 'form' || action.tool_note)) show(actionText(action));
  const answer = await answerAction(action, dialogue);
  return answer === 'later' ? undefined : answer(client.actions, action);
};

export const answer = async (context: CommandContext, ref: string | undefined, options: AnswerOptions): Promise<ExitCode> => {
  const action = await findAction(context.client, ref, isMeant(options));
  if (action.status !== 'open') return refuseClosed(context, action);
  try {
    return await answerOpen(context, action, options);
  } catch (error) {
    const closed = closedMeanwhile(action, error);
    if (!closed) throw error;
    return refuseClosed(context, closed);
  }
};

const answerOpen = async (context: CommandContext, action: OpenAction, options: AnswerOptions): Promise<ExitCode> => {
  const given = await byOptions(context, action, options);
  if (given) return reportAnswer(context, 'answered', action, given);
  if (!canAsk(context.io)) throw new UsageError(wantedText(action));
  const asked = await byDialogue(context, action);
  if (asked) return reportAnswer(context, 'answered', action, asked);
  context.note('Put off: it goes on waiting.');
  return exitCodes.waiting;
};
