/** What holds of every log: order, outcomes, and that all that was opened is closed (S8–S11, S17, S20). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { history, tightRules } from '../testing/arbitraries.ts';
import { must } from '../testing/must.ts';
import { type LoggedEvent, outcomeEvents, turnOf } from './events.ts';

const runs = { numRuns: 1_000 };
const isOutcome = (type: string): boolean => outcomeEvents.has(type);
const byTurn = (log: readonly LoggedEvent[]): ReadonlyMap<string, readonly LoggedEvent[]> =>
  Map.groupBy(
    log.filter((event) => turnOf(event) !== undefined),
    (event) => String(turnOf(event)),
  );

/** What each event opens and closes, by name. */
const opens = (event: LoggedEvent): readonly string[] => {
  switch (event.type) {
    case 'run.started':
      return [`run ${event.data.run_id}`];
    case 'item.started':
      return [`item ${event.data.item_id}`];
    case 'tool.requested':
      return [`tool ${event.data.turn_id} ${event.data.tool_call_id}`];
    case 'required_action.created':
      return [`action ${event.data.request_id}`];
    case 'command.accepted':
      return [`command ${event.data.command_id}`];
    case 'input.accepted':
      return event.data.turn_id === undefined ? [] : [`input ${event.data.input_id}`];
    default:
      return [];
  }
};
const closes = (event: LoggedEvent): readonly string[] => {
  switch (event.type) {
    case 'run.ended':
      return [`run ${event.data.run_id}`];
    case 'model.completed':
    case 'usage.recorded':
      return [`item ${event.data.item_id}`];
    case 'tool.completed':
      return [`tool ${event.data.turn_id} ${event.data.tool_call_id}`];
    case 'required_action.resolved':
      return [`action ${event.data.request_id}`];
    case 'command.completed':
    case 'command.failed':
      return [`command ${event.data.command_id}`];
    case 'input.applied':
    case 'input.rejected':
      return event.data.kind === 'steer' ? [`input ${event.data.input_id}`] : [];
    default:
      return [];
  }
};

describe('any log', () => {
  it('starts turns in the order in which they were accepted, or in which a person put them (S8, S12, QO1)', () => {
    let moved = 0;
    fc.assert(
      fc.property(history(), ({ log }) => {
        const accepted = log.flatMap((event) => (event.type === 'turn.accepted' ? [event.data] : []));
        expect(accepted.map((data) => data.n)).toEqual(accepted.map((_, index) => index + 1));
        let queue: readonly string[] = [];
        for (const event of log) {
          const id = String(turnOf(event));
          if (event.type === 'turn.running' && queue.includes(id)) must(queue[0] === id, `${id} starts before ${queue[0]}`);
          if (event.type === 'turn.running' || isOutcome(event.type)) queue = queue.filter((entry) => entry !== id);
          if (event.type === 'turn.accepted') queue = [...queue, id];
          if (event.type !== 'turn.queued' || event.data.reason !== 'reordered') continue;
          must(queue.includes(id), `${id} is reordered though it is not queued`);
          queue = [...queue.filter((entry) => entry !== id), id];
          moved += 1;
        }
      }),
      runs,
    );
    expect(moved).toBeGreaterThan(5);
  });

  it('uses or rejects each input once, in order, at a step boundary; steers before the outcome of their turn (IN1–IN5)', () => {
    const met = { applied: 0, rejected: 0, another: 0 };
    fc.assert(
      fc.property(history(), ({ steps, log, state }) => {
        const open: { readonly id: string; readonly turn: string | undefined }[] = [];
        let streams = false;
        for (const event of log) {
          if (event.type === 'item.started') streams = true;
          if (event.type === 'model.completed' || event.type === 'usage.recorded' || (event.type === 'item.completed' && event.data.model_call_id))
            streams = false;
          if (event.type === 'input.accepted') open.push({ id: event.data.input_id, turn: event.data.turn_id });
          if (event.type !== 'input.applied' && event.type !== 'input.rejected') continue;
          const at = open.findIndex(({ id }) => id === event.data.input_id);
          must(at !== -1, () => `${event.data.input_id} is closed though it is not open`);
          const earlier = open.slice(0, at).filter(({ turn }) => turn === undefined || turn === event.data.turn_id);
          if (event.type === 'input.applied') {
            must(!streams, 'put into a call that was begun');
            must(earlier.length === 0, 'used before an earlier one');
            met.applied += 1;
          } else met.rejected += 1;
          open.splice(at, 1);
        }
        expect(state.terminated ? [] : open.map(({ id }) => id)).toEqual(state.inputs?.map(({ id }) => id) ?? []);
        for (const { command, decision, before } of steps) {
          if (!decision.ok || command.type !== 'model_done' || command.calls.length > 0) continue;
          const steered = before.inputs?.some(({ turnId, ofChild }) => ofChild || turnId === before.live?.id);
          const last = (before.live?.steps ?? 0) + 1 >= tightRules.maxSteps || before.live?.cancelRequested;
          const ends = decision.events.some((event) => isOutcome(event.type));
          if (decision.events.some((event) => event.type === 'item.completed')) must(ends === !(steered && !last), 'ends unheard, or goes on for nothing');
          if (!ends) met.another += 1;
        }
      }),
      runs,
    );
    for (const count of Object.values(met)) expect(count).toBeGreaterThan(5);
  });

  it('ends each turn once, and says nothing of it afterwards unless a failed one is resumed (S9, S11)', () => {
    fc.assert(
      fc.property(history(), ({ log }) => {
        for (const [id, events] of byTurn(log)) {
          const types = events.map((event) => event.type);
          for (const [index, type] of types.entries()) {
            if (!isOutcome(type) || index === types.length - 1) continue;
            expect(type, id).toBe('turn.failed');
            expect(types.slice(index + 1, index + 3), id).toEqual(['command.accepted', 'turn.queued']);
          }
        }
      }),
      runs,
    );
  });

  it('opens and closes each run, model call, tool, action and command once; all of a turn before its outcome (S10, S17)', () => {
    fc.assert(
      fc.property(history(), ({ log }) => {
        for (const [id, events] of byTurn(log)) {
          const open = new Set<string>();
          const ever = new Set<string>();
          for (const event of events) {
            for (const name of opens(event)) {
              must(!ever.has(name), `${name} opened twice`);
              ever.add(name);
              open.add(name);
            }
            for (const name of closes(event)) {
              const streamed = ever.has(name) || !name.startsWith('item ');
              if (streamed) must(open.delete(name), `${name} closed by ${event.type} though not open`);
            }
            if (isOutcome(event.type)) must(open.size === 0, () => `${id}: open at ${event.type}: ${[...open].join(', ')}`);
          }
        }
      }),
      runs,
    );
  });

  it('is written only while a run is open, where it tells of items, tools and model calls', () => {
    fc.assert(
      fc.property(history(), ({ log }) => {
        let run: string | undefined;
        for (const event of log) {
          if (event.type === 'run.started') run = event.data.run_id;
          if (event.type.startsWith('item.') || event.type === 'tool.dispatched' || event.type === 'tool.requested' || event.type === 'usage.recorded') {
            must((event.data as { run_id: string }).run_id === run, () => `${event.type} of another run than ${run}`);
          }
          if (event.type === 'run.ended') {
            must(event.data.run_id === run, () => `${event.data.run_id} ended, not ${run}`);
            run = undefined;
          }
        }
      }),
      runs,
    );
  });

  it('counts each model call once', () => {
    fc.assert(
      fc.property(history(), ({ log }) => {
        const counted = log.flatMap((event) => (event.type === 'usage.recorded' || event.type === 'model.completed' ? [event.data.model_call_id] : []));
        expect(new Set(counted).size).toBe(counted.length);
      }),
      runs,
    );
  });

  it('ends `cancelled` what was asked to cancel (S20)', () => {
    fc.assert(
      fc.property(history(), ({ log }) => {
        for (const [id, events] of byTurn(log)) {
          const asked = events.findIndex((event) => event.type === 'turn.cancel_requested');
          if (asked === -1) continue;
          const outcome = events.slice(asked).find((event) => isOutcome(event.type));
          if (outcome) must(outcome.type === 'turn.cancelled', `${id} was asked to cancel: ${outcome.type}`);
        }
      }),
      runs,
    );
  });

  it('completes each command in the decision that accepted it, a steer with its input, and repeats no id', () => {
    fc.assert(
      fc.property(history(), ({ steps, log }) => {
        for (const { decision } of steps) {
          if (!decision.ok) continue;
          const ids = (type: string) =>
            decision.events.flatMap((event) =>
              event.type === type && 'command_id' in event.data && 'kind' in event.data && event.data.kind !== 'steer' ? [event.data.command_id] : [],
            );
          must(ids('command.completed').join() === ids('command.accepted').join(), 'a command without its end');
        }
        const items = log.flatMap((event) => (event.type === 'item.completed' ? [event.data.item_id] : []));
        expect(new Set(items).size).toBe(items.length);
      }),
      runs,
    );
  });

  it('names the turn first in the data of each event that belongs to one, so that envelopes need no parsing', () => {
    fc.assert(
      fc.property(history(), ({ log }) => {
        for (const event of log) {
          if (turnOf(event) !== undefined) must(Object.keys(event.data)[0] === 'turn_id', event.type);
        }
      }),
      { numRuns: 200 },
    );
  });
});
