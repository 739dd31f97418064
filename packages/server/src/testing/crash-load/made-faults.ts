/** What must hold in the end of what turns were told and made: inputs, children, artifacts, model calls under a limit. */
import { outcomeEvents } from '@turnkeeper/core/session/events';
import { childInputId } from '@turnkeeper/core/session/ids';
import type { StreamEvent, StubbornHttp } from '../harness/stubborn-http.ts';
import type { SessionLoad } from './session-load.ts';

export type Child = { readonly id: string; readonly log: readonly StreamEvent[] };

const ofType = (events: readonly StreamEvent[], type: string): readonly StreamEvent[] => events.filter((event) => event.type === type);

/** How a call ended that was requested or dispatched here: its next end, since an id may come again in a later step. */
const endOfCall = (events: readonly StreamEvent[], { id, data }: StreamEvent): StreamEvent | undefined =>
  events
    .slice(events.findIndex((event) => event.id === id))
    .find((event) => event.type === 'tool.completed' && event.data['turn_id'] === data['turn_id'] && event.data['tool_call_id'] === data['tool_call_id']);

/** What was accepted is what clients were told of, and each was used once or rejected once (IN1). */
export const inputFaults = (load: SessionLoad, events: readonly StreamEvent[]): readonly string[] => {
  const accepted = ofType(events, 'input.accepted');
  const people = accepted.filter(({ data }) => data['kind'] !== 'subagent').map(({ data }) => String(data['input_id']));
  const told = [...load.said.keys()];
  const uses = accepted.flatMap(({ data: { input_id: id, kind } }) => {
    const ends = events.filter(({ type, data }) => (type === 'input.applied' || type === 'input.rejected') && data['input_id'] === id);
    return ends.length === 1 ? [] : [`${kind} ${id} was ended by ${ends.map(({ type }) => type).join(', ') || 'nothing, ever: it was used never'}`];
  });
  const differ = [...people.filter((id) => !load.said.has(id)), ...told.filter((id) => !people.includes(id))];
  const texts = accepted.map(({ data }) => JSON.stringify(data['input']));
  const unsaid = load.unsaid.filter((message) => texts.some((text) => text.includes(JSON.stringify(message))));
  return [
    ...uses,
    ...differ.map((id) => `input ${id}: ${load.said.has(id) ? 'the client was told of it' : 'it is in the log'} alone`),
    ...unsaid.map((message) => `"${message}" was refused, and is in the log`),
  ];
};

/** Whoever was delegated to began and ended, once. */
export const familyFaults = (events: readonly StreamEvent[]): readonly string[] =>
  ofType(events, 'tool.dispatched').flatMap(({ data: { child_session_id: child } }) => {
    if (child === undefined) return [];
    const of = (type: string) => ofType(events, type).filter(({ data }) => data['child_session_id'] === child).length;
    const [started, completed] = [of('subagent.started'), of('subagent.completed')];
    return started === 1 && completed === 1 ? [] : [`child ${child} began ${started} times and ended ${completed || 'never'}`];
  });

/** The outcome of a child is what its own log says, and its parent uses it once: as the result of the call, or as an input (CH8). */
export const childFaults = (events: readonly StreamEvent[], { id, log }: Child): readonly string[] => {
  const is = ({ data }: StreamEvent): boolean => data['child_session_id'] === id;
  const end = log.findLast(({ type }) => outcomeEvents.has(type));
  const told = ofType(events, 'subagent.completed').find(is);
  const faults =
    end && end.type === `turn.${told?.data['status']}` ? [] : [`child ${id} ended ${end?.type ?? 'never'}, its parent heard ${told?.data['status']}`];
  const asked = ofType(events, 'tool.dispatched').find(is);
  const output = String(end?.data['output_text'] ?? '');
  const cancelled = events.some(({ type, data }) => type === 'turn.cancel_requested' && data['turn_id'] === asked?.data['turn_id']);
  if (asked?.data['background']) {
    const results = ofType(events, 'input.accepted').filter(({ data }) => data['input_id'] === childInputId(id as `ses_${string}`));
    // A child that is cancelled with its turn has nothing to tell.
    if (results.length !== 1 && !(cancelled && results.length === 0)) faults.push(`the result of child ${id} was heard ${results.length} times`);
    if (results.some(({ data }) => !JSON.stringify(data['input']).includes(output))) faults.push(`the result of child ${id} is not what it said`);
    return faults;
  }
  const result = asked && endOfCall(events, asked);
  const said = JSON.stringify(result?.data['result'] ?? '').includes(JSON.stringify(output).slice(1, -1));
  if (!result || !(said || cancelled)) faults.push(`the result of child ${id} did not reach the call that waited for it`);
  return faults;
};

/** Each call that succeeded published one artifact, none published two, and the list is what the log says. */
export const publishFaults = async (http: StubbornHttp, load: SessionLoad, events: readonly StreamEvent[]): Promise<readonly string[]> => {
  const published = ofType(events, 'artifact.published').map(({ data }) => ({ id: String(data['artifact_id']), name: String(data['name']) }));
  const faults: string[] = [];
  for (const request of ofType(events, 'tool.requested').filter(({ data }) => data['name'] === 'publish_artifact')) {
    const { path } = request.data['input'] as { readonly path: string };
    const shown = published.filter(({ name }) => name === path);
    const done = endOfCall(events, request);
    const success = done?.data['status'] === 'success';
    if (shown.length > 1 || (success && shown.length === 0)) faults.push(`${path} was published ${shown.length} times, its call ended ${done?.data['status']}`);
    if (success && !JSON.stringify(done.data['result']).includes(shown[0]?.id ?? '?'))
      faults.push(`${path} was published as another artifact than its call says`);
  }
  const listed = await http.call<{ items: { artifact_id: string }[] }>('GET', `/agent-sessions/${load.id}/artifacts?limit=200`);
  const ids = listed.items.map(({ artifact_id }) => artifact_id);
  if (
    ids.toSorted().join() !==
    published
      .map(({ id }) => id)
      .toSorted()
      .join()
  )
    faults.push(`artifacts [${ids}] are listed, [${published.map(({ id }) => id)}] published`);
  return faults;
};

/** No call was made that the limit did not count, and none beyond it (the budget's own count is looked at whenever it is met). */
export const limitFaults = async (http: StubbornHttp, load: SessionLoad, events: readonly StreamEvent[]): Promise<readonly string[]> => {
  if (load.limits.length === 0) return [];
  const { used } = await http.call<{ used: { model_calls: number } }>('GET', `/agent-sessions/${load.id}/budget`);
  const begun = new Set([...events, ...load.below].filter(({ type }) => type === 'item.started').map(({ data }) => data['model_call_id'])).size;
  const allowed = Math.max(...load.limits);
  return begun <= used.model_calls && used.model_calls <= allowed ? [] : [`${begun} model calls were begun, ${used.model_calls} counted, ${allowed} allowed`];
};
