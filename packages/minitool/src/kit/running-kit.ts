/** Puts the kit's service together with the mini-tool that runs on it. */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { Entry } from '../child/entry.ts';
import { serveMinitool } from '../child/serve.ts';
import type { SessionWaitResponse } from '../context/session-waits.ts';
import type { MiniToolContext } from '../context.ts';
import { invalidArgument, MinitoolError } from '../failure.ts';
import type { Beginning } from '../protocol.ts';
import { createChannelPair } from '../rpc/channel.ts';
import { createHostPeer, createToolPeer, type HostPeer } from '../rpc/peer.ts';
import { echo, type KitAgent } from './agent.ts';
import * as taken from './arguments.ts';
import { createKitClock, type KitClock, untilAtRest } from './clock.ts';
import { KitConsumers } from './consumers.ts';
import { EventLog } from './event-log.ts';
import { answerMinitool } from './host.ts';
import type { Kit, KitOptions, KitWebhook } from './kit.ts';
import type { Loaded } from './loaded.ts';
import { KitSessions } from './sessions.ts';
import { openWaits, type SessionState } from './state.ts';
import { KitTools } from './tools.ts';
import { Turns } from './turns.ts';

type Activation = { readonly peer: HostPeer; readonly end: () => void; ctx: MiniToolContext | undefined };

export class RunningKit {
  readonly #what: Loaded;
  readonly #beginning: Beginning;
  readonly #options: KitOptions;
  readonly #clock: KitClock;
  readonly #log: EventLog;
  readonly #tools: KitTools;
  readonly #sessions: KitSessions;
  readonly #turns: Turns;
  readonly #consumers: KitConsumers;
  readonly #values: Map<string, string>;
  readonly #secrets: Map<string, string>;
  readonly #subscribed = new Set<string>();
  readonly #logs: string[] = [];
  #agent: KitAgent;
  #activation: Activation | undefined;

  constructor(what: Loaded, options: KitOptions, beginning: Beginning) {
    this.#what = what;
    this.#options = options;
    this.#beginning = beginning;
    this.#agent = options.agent ?? echo;
    this.#clock = createKitClock(options.now ?? Date.UTC(2026, 0, 1));
    this.#values = new Map(Object.entries(options.storage ?? {}).map(([key, value]) => [key, JSON.stringify(value)]));
    this.#secrets = new Map(Object.entries(options.secrets ?? {}));
    this.#log = new EventLog(this.#clock, (event, isDurable) => this.#told(event, isDurable));
    this.#tools = new KitTools(this.#clock, () => this.#peer());
    const counts = new Map<string, number>();
    const nextId = (kind: string): string => {
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      return `${kind}_${count}`;
    };
    this.#turns = new Turns({
      clock: this.#clock,
      log: this.#log,
      agent: () => this.#agent,
      nextId,
      callTool: (session, name, input) => this.#tools.execute(name, input, { sessionId: session.id, background: session.activity === 'background' }),
    });
    this.#sessions = new KitSessions({
      manifest: what.manifest,
      clock: this.#clock,
      log: this.#log,
      turns: this.#turns,
      outboxPath: beginning.outboxPath,
      spaces: options.spaces ?? [],
      warn: (message) => this.#logs.push(`warn ${message}`),
      nextId,
      callOf: (token) => this.#tools.callOf(token),
    });
    this.#consumers = new KitConsumers(this.#clock, this.#log, async (name, event) => {
      await this.#peer().ask('consume.deliver', { name, event: event as unknown as JsonObject });
    });
  }

  #peer(): HostPeer {
    if (!this.#activation) throw new MinitoolError('not_found', 'The mini-tool is not running');
    return this.#activation.peer;
  }

  #told(event: JsonObject, isDurable: boolean): void {
    if (this.#subscribed.has('events')) void this.#activation?.peer.tell('event', event);
    if (isDurable) this.#consumers.wake();
  }

  async begin(): Promise<void> {
    const [hostEnd, toolEnd, end] = createChannelPair();
    const peer = createHostPeer(hostEnd);
    const activation: Activation = { peer, end, ctx: undefined };
    this.#activation = activation;
    answerMinitool(peer, {
      manifest: this.#what.manifest,
      clock: this.#clock,
      values: this.#values,
      secrets: this.#secrets,
      sessions: this.#sessions,
      tools: this.#tools,
      consumers: this.#consumers,
      subscribed: this.#subscribed,
      ui: this.#options.ui ?? (() => ({})),
      capabilities: this.#options.capabilities ?? {},
    });
    peer.hear('log', ({ level, message }) => this.#logs.push(`${level} ${message}`));
    peer.listen();
    const load = async (main: string): Promise<Entry> => {
      const entry = await this.#what.load(main);
      const activate: Entry['activate'] = (ctx) => {
        activation.ctx = ctx;
        return entry.activate(ctx);
      };
      return { ...entry, activate };
    };
    serveMinitool({ peer: createToolPeer(toolEnd), load });
    await peer.ask('activate', this.#beginning);
  }

  async end(): Promise<void> {
    const activation = this.#activation;
    if (!activation) return;
    await activation.peer.ask('deactivate', {}).catch(() => {});
    this.#consumers.endAll();
    this.#subscribed.clear();
    this.#tools.clear();
    this.#activation = undefined;
    activation.end();
  }

  #session(sessionId: string): SessionState {
    return this.#sessions.own(sessionId);
  }

  async #answer(requestId: string, given: SessionWaitResponse): Promise<boolean> {
    const response = taken.take(taken.waitResponse, given, 'response');
    const session = this.#sessions.all().find(({ waits }) => waits.has(requestId));
    const state = session?.waits.get(requestId);
    if (!session || !state || state.resolvedBy) return false;
    if (state.wait.kind !== response.kind) throw invalidArgument(`response.kind: "${state.wait.kind}", as the wait says`);
    this.#turns.resolve(session, requestId, response, 'user');
    await untilAtRest();
    return true;
  }

  async #deliver(id: string, { body, idempotencyKey, orderKey = '', headers = {} }: KitWebhook): Promise<void> {
    const delivery = {
      id: `delivery_${idempotencyKey}`,
      idempotencyKey,
      orderKey,
      headers,
      body: Buffer.from(body).toString('base64'),
      receivedAt: this.#clock.iso(),
      attempt: 1,
    };
    await this.#peer().ask('webhooks.deliver', { id, delivery });
  }

  #ctx(): MiniToolContext {
    const ctx = this.#activation?.ctx;
    if (!ctx) throw new MinitoolError('not_found', 'The mini-tool is not running');
    return ctx;
  }

  asKit(stop: () => Promise<void>): Kit {
    const own = this;
    return {
      clock: this.#clock,
      manifest: this.#what.manifest,
      logs: this.#logs,
      get ctx() {
        return own.#ctx();
      },
      get tools() {
        return own.#tools.list();
      },
      get events() {
        return own.#log.all();
      },
      execute: (name, input = {}, options = {}) => this.#tools.execute(name, input, options),
      setAgent: (agent) => {
        this.#agent = agent;
      },
      waits: (sessionId) => (sessionId === undefined ? this.#sessions.all() : [this.#session(sessionId)]).flatMap(openWaits),
      answer: (requestId, response) => this.#answer(requestId, response),
      archive: (sessionId) => {
        this.#session(sessionId).archived = true;
      },
      deleteSession: async (sessionId) => {
        this.#sessions.remove(this.#session(sessionId));
        await untilAtRest();
      },
      forgetEvents: (upTo) => this.#log.forget(upTo),
      deliverWebhook: (id, delivery) => this.#deliver(id, delivery),
      fire: async (id, slot = this.#clock.iso()) => {
        await this.#peer().ask('schedules.fire', { id, fireId: `${id}:${slot}`, slot });
      },
      callCapability: (name, method, ...args) => this.#peer().ask('capabilities.call', { name, method, args }),
      settle: untilAtRest,
      restart: async () => {
        await this.end();
        await this.begin();
      },
      stop,
      [Symbol.asyncDispose]: stop,
    };
  }
}
