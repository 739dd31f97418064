/** `turnkeeper inputs [session]`: what was said by steers and injects, and whether it was heard. */
import { textOf } from '@turnkeeper/core/protocol/text-of';
import type { InputBody } from '@turnkeeper/core/view/input';
import type { CommandContext } from '../command-context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { printList } from '../output/print-list.ts';
import { oneLine } from '../output/printable.ts';
import { resolveSession } from '../session-ref.ts';
import { atText } from '../time.ts';

/** A session that was told more than this is listed so far. */
const mostPages = 50;

const everyInput = async ({ client }: CommandContext, sessionId: string): Promise<readonly InputBody[]> => {
  const found: InputBody[] = [];
  let after: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const { data, next_cursor } = await client.inputs.list(sessionId, after === undefined ? {} : { after });
    found.push(...data.map((each) => each.data));
    if (next_cursor === null) break;
    after = next_cursor;
  }
  return found;
};

/** Blocks that are no text are named by their kind. */
const saidText = ({ input }: InputBody): string => {
  const blocks = input.flatMap(({ content }) => content);
  const others = blocks.flatMap(({ type }) => (type === 'text' ? [] : [`[${type}]`]));
  return oneLine([textOf(blocks), ...others].filter((part) => part !== '').join(' '), 60);
};

const row = (input: InputBody): readonly string[] => [
  input.input_id,
  input.kind,
  input.reason === undefined ? input.status : `${input.status} (${input.reason})`,
  input.turn_id ?? '',
  atText(input.created_at),
  saidText(input),
];

/** Used and rejected ones too, in the order in which they were accepted. */
export const listInputs = async (context: CommandContext, ref: string | undefined): Promise<ExitCode> => {
  const session = await resolveSession(context.client, ref);
  printList(context, await everyInput(context, session.id), { none: `Nothing was said to turns of ${session.id} under way.`, row });
  return exitCodes.completed;
};
