/**
 * The accumulated bodies of a session's open resources, as a writer holds them between commits.
 *
 * Owns: what a batch of events makes of the stored resources, and when the body of a streaming item is written anew.
 *
 * R1 A cached body is the fold up to the last commit, deltas included; it changes only when a commit succeeded.
 * R2 A delta writes no resource, until the tail that a reader would have to fold outgrows the body (refold).
 * R3 What has ended is let go with its commit: a turn holds no more here than its open step, however long it is.
 */
import { isDelta, type LoggedEvent } from '@turnkeeper/core/session/events';
import { applyToResource, type Bodies, type Body, type ResourceKind, type ResourceRef, touched } from '@turnkeeper/core/view/resources';
import type { ResourceWrite } from '../ports/session-store.ts';

type Cached = {
  readonly kind: ResourceKind;
  readonly body: Body;
  readonly turnId: string | undefined;
  /** Bytes of deltas since the stored body. */
  readonly tail: number;
  readonly storedBytes: number;
};

const refoldBytes = 16 * 1024;

export type ResourceChanges = { readonly writes: readonly ResourceWrite[]; readonly bodies: ReadonlyMap<string, Cached> };

/** True when an event makes its resource whole by itself, so that nothing need be loaded before it. */
const makesWhole = (event: LoggedEvent, ref: ResourceRef): boolean => {
  switch (event.type) {
    case 'turn.accepted':
    case 'item.started':
    case 'item.completed':
    case 'tool.requested':
    case 'required_action.created':
    case 'command.accepted':
    case 'input.accepted':
    case 'artifact.published':
      return ref.kind !== 'tool' || event.type === 'tool.requested';
    case 'run.started':
      return ref.kind === 'run';
    default:
      return false;
  }
};

export class ResourceCache {
  readonly #bodies = new Map<string, Cached>();

  /** Resources that must be loaded before these events can be folded. */
  missing(events: readonly LoggedEvent[]): readonly ResourceRef[] {
    const known = new Set<string>();
    const wanted = new Map<string, ResourceRef>();
    for (const event of events) {
      for (const ref of touched(event)) {
        if (makesWhole(event, ref)) known.add(ref.id);
        else if (!known.has(ref.id) && !this.#bodies.has(ref.id)) wanted.set(ref.id, ref);
      }
    }
    return [...wanted.values()];
  }

  put(ref: ResourceRef, body: Body): void {
    this.#bodies.set(ref.id, { kind: ref.kind, body, turnId: turnIdOf(body), tail: 0, storedBytes: 0 });
  }

  /** What the events make of the resources they touch. Nothing is kept until `keep`. */
  fold(events: readonly LoggedEvent[], dataBytes: readonly number[]): ResourceChanges {
    const bodies = new Map<string, Cached>();
    const places = new Map<string, { first: number; last: number; dirty: boolean }>();
    for (const [index, event] of events.entries()) {
      for (const { kind, id } of touched(event)) {
        const before = bodies.get(id) ?? this.#bodies.get(id);
        const body = applyToResource(kind, before?.body, event);
        if (body === undefined) continue;
        const delta = isDelta(event.type);
        const tail = delta ? (before?.tail ?? 0) + (dataBytes[index] ?? 0) : (before?.tail ?? 0);
        bodies.set(id, { kind, body, turnId: turnIdOf(body), tail, storedBytes: before?.storedBytes ?? 0 });
        const place = places.get(id);
        places.set(id, { first: place?.first ?? index, last: index, dirty: (place?.dirty ?? false) || !delta });
      }
    }
    const writes: ResourceWrite[] = [];
    for (const [id, place] of places) {
      const entry = bodies.get(id);
      if (!entry || !(place.dirty || entry.tail > Math.max(refoldBytes, entry.storedBytes))) continue;
      const body = JSON.stringify(entry.body);
      writes.push({ kind: entry.kind, id, first: place.first, last: place.last, base: place.last, body });
      bodies.set(id, { ...entry, tail: 0, storedBytes: body.length });
    }
    return { writes, bodies };
  }

  /** Takes over what was committed; what has ended, by itself or with its turn, is let go (R3). */
  keep(changes: ResourceChanges, isLive: (turnId: string) => boolean): void {
    let turnMoved = false;
    for (const [id, entry] of changes.bodies) {
      turnMoved ||= entry.kind === 'turn';
      if (hasEnded(entry)) this.#bodies.delete(id);
      else this.#bodies.set(id, entry);
    }
    if (!turnMoved) return;
    for (const [id, { turnId }] of this.#bodies) if (turnId !== undefined && !isLive(turnId)) this.#bodies.delete(id);
  }

  /** Bodies held now. */
  get size(): number {
    return this.#bodies.size;
  }
}

/** Nothing more is expected of it; where something comes all the same, it is read again. */
const hasEnded = ({ kind, body }: Cached): boolean => {
  switch (kind) {
    case 'item':
      return (body as Bodies['item']).item.status !== 'in_progress';
    case 'tool':
      return !openTools.has((body as Bodies['tool']).status);
    case 'required_action':
      return (body as Bodies['required_action']).status !== 'open';
    case 'run':
      return (body as Bodies['run']).status !== 'running';
    case 'subagent':
      return (body as Bodies['subagent']).ended_at !== undefined;
    case 'step':
      return (body as Bodies['step']).taken !== undefined;
    case 'command':
    // What was said may be long, and waits: it is read again when it is used.
    case 'input':
    case 'artifact':
      return true;
    case 'turn':
    case 'usage':
      return false;
  }
};

const openTools: ReadonlySet<string> = new Set(['requested', 'waiting', 'running']);

const turnIdOf = (body: Body): string | undefined => ('turn_id' in body ? body.turn_id : undefined);
