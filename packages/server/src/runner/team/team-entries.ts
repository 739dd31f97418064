/** The tools of a team's leader, as its model is told of them. */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { FrozenConfig, TeamPart } from '../../app/frozen-config.ts';
import type { Tool } from '../../ports/tool.ts';
import { delegateName } from '../delegate-entry.ts';
import type { ToolEntry } from '../tool-entries.ts';
import { leaderPrompt, memberLine, memberPrompt } from './team-prompts.ts';
import type { TeamTools } from './team-tools.ts';

/** Characters of a piece: those of any message. */
const pieceCharacters = 100_000;
/** Of a note: it is read between two steps of something else. */
const noteCharacters = 10_000;

const schema = (properties: JsonObject, ...required: readonly string[]): JsonObject => ({ type: 'object', properties, required, additionalProperties: false });

const stepId = (description: string): JsonObject => ({ type: 'string', minLength: 1, maxLength: 200, description });

const delegateEntry = ({ members }: TeamPart): ToolEntry => ({
  terms: {},
  spec: {
    name: delegateName,
    description: `Delegates one piece of the task to a member, and waits for its result. Several calls in one step are worked on at the same time. The members:\n${members.map(memberLine).join('\n')}`,
    inputSchema: schema(
      {
        member: { type: 'string', enum: members.map(({ name }) => name), description: 'Who is to do it.' },
        message: {
          type: 'string',
          minLength: 1,
          maxLength: pieceCharacters,
          description: 'The whole piece, with all that the member needs: it sees nothing else.',
        },
        background: { type: 'boolean', description: 'Go on at once, and be told the result later.' },
        continue: stepId('Ask the same member again: the id of a step of this task that has ended. It goes on with all that it knew then.'),
        instead_of: stepId('The id of a step that failed, and that this piece takes the place of. It begins afresh.'),
      },
      'member',
      'message',
    ),
  },
  executor: 'session',
  tool: undefined,
});

type Described = { readonly name: keyof TeamTools; readonly description: string; readonly inputSchema: JsonObject };

const readResult: Described = {
  name: 'read_result',
  description: 'Reads the whole result of a step, in parts where it is long.',
  inputSchema: schema(
    { step_id: stepId('The id of the step.'), offset: { type: 'integer', minimum: 0, description: 'From which character on; 0 unless given.' } },
    'step_id',
  ),
};
const teamStatus: Described = {
  name: 'team_status',
  description: 'Lists all steps of this task: who works on what, and how each stands.',
  inputSchema: schema({}),
};
const sendNote: Described = {
  name: 'send_note',
  description: 'Tells a member something. One that is at work hears it at its next step; otherwise it stands in front of what you delegate to it next.',
  inputSchema: schema(
    {
      to: { type: 'string', minLength: 1, maxLength: 200, description: 'The name of a member, or the id of a step.' },
      text: { type: 'string', minLength: 1, maxLength: noteCharacters },
    },
    'to',
    'text',
  ),
};

const notHere: Tool['run'] = () => Promise.reject(new Error('The tools of a team run in its sessions only.'));

/** It changes nothing outside the team, and the same again changes nothing. */
const entryOf = ({ name, description, inputSchema }: Described, tools: TeamTools | undefined): ToolEntry => {
  const tool: Tool = { spec: { name, description, inputSchema }, replaySafe: true, readOnly: true, timeoutMs: 30_000, run: tools?.[name] ?? notHere };
  return { terms: {}, spec: tool.spec, executor: 'server', tool };
};

/** `own`: in place of whatever else has these names. */
export type TeamParts = { readonly own?: readonly ToolEntry[]; readonly prompt?: string };

/** What a session has because it is a team's, or a member's. `tools`: what runs the leader's; without them they are shown only. */
export const teamParts = ({ target, member }: FrozenConfig, tools?: TeamTools): TeamParts => {
  if (!target.team) return member ? { prompt: memberPrompt(member) } : {};
  return { own: [delegateEntry(target.team), ...[readResult, teamStatus, sendNote].map((each) => entryOf(each, tools))], prompt: leaderPrompt(target.team) };
};
