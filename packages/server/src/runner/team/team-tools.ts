/**
 * What the tools of a team's leader do: it reads results, sees how its steps stand, and tells members something.
 *
 * TV2 A note reaches a step that is worked on as a steer of its child, under a name that follows from the call: made again after a crash,
 *     it is said once. Whatever nobody hears now is kept, in the call itself (app/team-notes.ts).
 */
import { codePoints, firstCodePoints } from '@turnkeeper/core/protocol/content';
import type { Json } from '@turnkeeper/core/protocol/json';
import { isSessionId } from '@turnkeeper/core/session/ids';
import type { StepBody } from '@turnkeeper/core/view/step';
import type { Family } from '../../app/family.ts';
import type { Session } from '../../app/lane.ts';
import { keptWords } from '../../app/team-notes.ts';
import { stepsOfTurn } from '../../app/team-steps.ts';
import type { SessionStore } from '../../ports/session-store.ts';
import type { Tool, ToolAnswer, ToolRun } from '../../ports/tool.ts';

export type TeamTools = Readonly<Record<'read_result' | 'team_status' | 'send_note', Tool['run']>>;
export type TeamServices = { readonly store: SessionStore; readonly family: Family };

/** Code points of a result that are read at once, and of a message that a list shows. */
const partCharacters = 40_000;
const listedCharacters = 100;

const said = (text: string, isError = false): ToolAnswer => ({ output: [{ type: 'text', text }], isError });
const noStep = (id: string): ToolAnswer => said(`There is no step ${id} in this task. team_status lists those that there are.`, true);
const textIn = (value: Json | undefined): string => (typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value));

const isOpen = ({ status }: StepBody): boolean => status === 'running' || status === 'delayed';

/** The rest of a text from a character on. */
const from = (text: string, offset: number): string => text.slice(firstUnit(text, offset));
const firstUnit = (text: string, offset: number): number => {
  let at = 0;
  for (let count = 0; count < offset && at < text.length; count += 1) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return at;
};

const partOf = (step: StepBody, offset: number): ToolAnswer => {
  const head = `[${step.step_id}, ${step.name ?? ''}: ${step.status}`;
  if (isOpen(step)) return said(`${head}] It has no result yet.`);
  const whole = step.status === 'succeeded' ? textIn(step.output) : (step.error_message ?? 'There is no result.');
  const [all, rest] = [codePoints(whole), from(whole, offset)];
  const part = firstCodePoints(rest, partCharacters);
  const end = offset + codePoints(part);
  const more = end < all ? ` Read on from offset ${end}.` : '';
  return said(`${head}, characters ${Math.min(offset, all)} to ${Math.min(end, all)} of ${all}.${more}]\n${part}`);
};

const lineOf = ({ step_id, name = '', status, attempt, input }: StepBody): string => {
  const message = typeof input === 'object' && input !== null && 'message' in input ? textIn(input['message']) : '';
  const tries = attempt > 1 ? `, attempt ${attempt}` : '';
  return `- ${step_id} (${name}): ${status}${tries} — ${firstCodePoints(message.replaceAll(/\s+/g, ' '), listedCharacters)}`;
};

export const teamTools = ({ head: { sid }, config }: Session, { store, family }: TeamServices): TeamTools => {
  const stepsOf = ({ turnId }: ToolRun) => stepsOfTurn(store, sid, turnId);
  const members = new Set(config.target.team?.members.map(({ name }) => name));

  /** Says it to whoever works on these steps. How many of them hear it. */
  const tell = async (steps: readonly StepBody[], text: string, { turnId, callId }: ToolRun): Promise<number> => {
    let heard = 0;
    for (const { child_session_id: child = '' } of steps) {
      const name = `${child.slice('ses_'.length)}_${turnId.slice('turn_'.length)}_${callId}`;
      const note = { inputId: `inp_${name}`, commandId: `cmd_${name}`, text: `[Note from the leader]\n${text}` };
      if (isSessionId(child) && (await family.note(child, note))) heard += 1;
    }
    return heard;
  };

  return {
    read_result: async ({ step_id, offset }, run) => {
      const step = (await stepsOf(run)).find((entry) => entry.step_id === step_id);
      return step ? partOf(step, typeof offset === 'number' ? offset : 0) : noStep(String(step_id));
    },
    team_status: async (_input, run) => {
      const steps = await stepsOf(run);
      return said(steps.length === 0 ? 'Nothing was delegated yet.' : steps.map(lineOf).join('\n'));
    },
    send_note: async ({ to, text }, run) => {
      const steps = await stepsOf(run);
      const [whom, note] = [String(to), String(text)];
      const step = steps.find((entry) => entry.step_id === whom);
      const member = step ? (step.name ?? '') : whom;
      if (!members.has(member)) return said(`There is neither a member nor a step called ${whom}.`, true);
      const open = (step ? [step] : steps.filter(({ name }) => name === member)).filter(isOpen);
      return said((await tell(open, note, run)) > 0 ? `Told ${member}, which hears it at its next step.` : keptWords(member));
    },
  };
};
