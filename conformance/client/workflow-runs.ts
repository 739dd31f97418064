/** Sessions of workflows and teams that run: made, submitted to, and looked at as the shared reducers see them. */
import type { Envelope } from '@turnkeeper/core/protocol/envelope';
import { applyEvent, emptyView, type SessionView } from '@turnkeeper/core/view/session-view';
import { applyTurnEvent, emptyTurnView, type TurnView } from '@turnkeeper/core/view/turn-view';
import { listsOf, type MappedView, mapsOf } from '@turnkeeper/core/view/view-maps';
import type { EventEnvelope } from './event-stream.ts';
import { freshKey, sessions, type Target } from './target.ts';

export type Step = {
  readonly step_id: string;
  readonly key: string;
  readonly name?: string;
  readonly status: string;
  readonly attempt: number;
  readonly [member: string]: unknown;
};
/** Of a session, by id, without what only the server adds. */
type Whole = Readonly<Record<string, unknown>>;

export type Runs = {
  readonly newAgent: (model: string, more?: object) => Promise<string>;
  /** Publishes a spec, and opens a session with it. */
  readonly open: (draftSpec: object) => Promise<string>;
  readonly openTeam: (team: object) => Promise<string>;
  readonly submit: (session: string, input: unknown, more?: object) => Promise<string>;
  /** By their keys. */
  readonly steps: (session: string, turn: string) => Promise<Readonly<Record<string, Step>>>;
  /** By their keys: status and attempt. */
  readonly ends: (session: string, turn: string) => Promise<Readonly<Record<string, string>>>;
  readonly history: (session: string) => Promise<readonly EventEnvelope[]>;
  readonly snapshots: (session: string) => Promise<MappedView>;
  /** All events folded, the snapshot of now, and any snapshot moved on by the events after it. */
  readonly folded: (session: string) => Promise<{ readonly whole: Whole; readonly stored: Whole; readonly from: (snapshot: MappedView) => Whole }>;
  readonly foldedTurn: (session: string, turn: string) => Promise<{ readonly folded: unknown; readonly stored: unknown }>;
};

export const turnPath = (session: string, turn: string): string => `${sessions}/${session}/turns/${turn}`;

/** `as_of` may stand behind the turn's own last event: the session went on. */
const bareTurn = ({ as_of: _, ...view }: TurnView) => view;
const bare = (view: SessionView): Whole => {
  const {
    session,
    has_more: _,
    page_cursors: __,
    ...maps
  } = mapsOf(view) as ReturnType<typeof mapsOf<SessionView>> & { has_more?: unknown; page_cursors?: unknown };
  return { ...maps, session: { id: session.id, status: session.status, archived: session.archived } };
};

export const furnishRuns = ({ call, history }: Target): Runs => {
  const made = async (path: string, body: unknown): Promise<Record<string, unknown>> => {
    const answer = await call('POST', path, { body });
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const idIn = (body: Record<string, unknown>, member: string): string => String((body[member] as { readonly id: string }).id);
  const sessionWith = async (target: object): Promise<string> => String((await made(sessions, { target }))['id']);
  const snapshotOf = async (session: string): Promise<MappedView> => (await call('GET', `${sessions}/${session}/snapshot`)).body as unknown as MappedView;
  const turnOf = async (session: string, turn: string): Promise<TurnView> =>
    (await call('GET', `${turnPath(session, turn)}/snapshot`)).body as unknown as TurnView;
  const steps = async (session: string, turn: string): Promise<Readonly<Record<string, Step>>> =>
    Object.fromEntries(Object.values((await turnOf(session, turn)).steps as unknown as Record<string, Step>).map((step) => [step.key, step]));
  const logOf = async (path: string): Promise<readonly Envelope[]> => (await history(`${path}/events`)) as readonly Envelope[];

  return {
    newAgent: async (model, more = {}) => {
      const definition = { system: 'You help.', model, ...more };
      return idIn(await made('/api/v1/agents', { agentKey: `run-${crypto.randomUUID().slice(0, 8)}`, displayName: 'Helper', definition }), 'agent');
    },
    open: async (draftSpec) => {
      const id = idIn(await made('/api/v1/workflows', { name: 'Run', draftSpec }), 'workflow');
      await made(`/api/v1/workflows/${id}/publish`, { expectedVersion: 1 });
      return sessionWith({ type: 'workflow', id });
    },
    openTeam: async (team) => sessionWith({ type: 'team', id: idIn(await made('/api/v1/teams', team), 'team') }),
    submit: async (session, input, more = {}) => {
      const { status, body } = await call('POST', `${sessions}/${session}/turns`, { body: { input, ...more }, key: freshKey() });
      if (status !== 202) throw new Error(`submit: ${status} ${JSON.stringify(body)}`);
      return String(body['id']);
    },
    steps,
    ends: async (session, turn) =>
      Object.fromEntries(Object.entries(await steps(session, turn)).map(([key, { status, attempt }]) => [key, `${status} ${attempt}`])),
    history: (session) => history(`${sessions}/${session}/events`),
    snapshots: snapshotOf,
    folded: async (session) => {
      const last = await snapshotOf(session);
      const log = await logOf(`${sessions}/${session}`);
      const upTo = log.slice(0, log.findIndex(({ cursor }) => cursor === last.as_of) + 1);
      return {
        whole: bare(upTo.reduce(applyEvent, emptyView(last.session, ''))),
        stored: bare(listsOf<SessionView>(last)),
        from: (snapshot) => bare(upTo.slice(upTo.findIndex(({ cursor }) => cursor === snapshot.as_of) + 1).reduce(applyEvent, listsOf<SessionView>(snapshot))),
      };
    },
    foldedTurn: async (session, turn) => ({
      folded: bareTurn((await logOf(turnPath(session, turn))).reduce(applyTurnEvent, emptyTurnView(''))),
      stored: bareTurn(await turnOf(session, turn)),
    }),
  };
};
