import { describe, expect, it } from 'vitest';
import type { MiniToolContext } from '../context.ts';
import { beginningOf, eventually, startFakeHost } from '../testing/fake-host.ts';
import { entryOf } from './entry.ts';

const done = { content: [{ type: 'text' as const, text: 'done' }] };

describe('a mini-tool', () => {
  it('JN1: is disposed in reverse order, whatever a subscription throws', async () => {
    const order: string[] = [];
    await using host = await startFakeHost({
      entry: {
        activate: (ctx) => {
          for (const name of ['first', 'second', 'third'])
            ctx.subscriptions.push({
              dispose: () => {
                order.push(name);
                if (name === 'second') throw new Error('no');
              },
            });
        },
        deactivate: () => {
          order.push('deactivate');
          throw new Error('cannot');
        },
      },
    });
    expect(host.ctx.minitool.isActive).toBe(true);
    expect(await host.peer.ask('deactivate', {})).toBe(null);
    expect(order).toEqual(['deactivate', 'third', 'second', 'first']);
    expect(host.ctx.minitool.isActive).toBe(false);
    await eventually(() => host.logged.length === 2);
    expect(host.logged[0]).toMatch(/deactivate failed.*cannot/s);
  });

  it('JN1: is disposed when activate fails halfway', async () => {
    let disposed = 0;
    const activate = (ctx: MiniToolContext): void => {
      ctx.subscriptions.push({ dispose: () => (disposed += 1) });
      throw new Error('halfway');
    };
    await expect(startFakeHost({ entry: { activate } })).rejects.toMatchObject({ code: 'activation_failed', message: expect.stringContaining('halfway') });
    expect(disposed).toBe(1);
  });

  it('JN1: is activated once', async () => {
    await using host = await startFakeHost();
    await expect(host.peer.ask('activate', beginningOf(host.folder))).rejects.toMatchObject({ code: 'activation_failed' });
  });

  it('of another protocol is not begun', async () => {
    await expect(startFakeHost({ beginning: { protocolVersion: 99 } })).rejects.toMatchObject({ code: 'not_supported' });
  });

  it('is active when its tools are known, and a refused one is logged', async () => {
    let registered = 0;
    await using host = await startFakeHost({
      answers: {
        'tools.register': async () => {
          await new Promise((resolve) => setTimeout(resolve, 20));
          registered += 1;
          if (registered === 2) throw new Error('that name is taken');
        },
      },
      entry: {
        activate: ({ tools }) => {
          for (const name of ['one', 'two']) tools.register({ name, title: name, description: '', inputSchema: {}, execute: async () => done });
        },
      },
    });
    expect(registered).toBe(2);
    await eventually(() => host.logged.some((line) => /"two".*taken/s.test(line)));
  });

  it('answers pings', async () => {
    await using host = await startFakeHost();
    expect(await host.peer.ask('ping', {})).toBe(null);
  });
});

describe('an entry', () => {
  const activate = (): void => {};

  it('exports activate by its name', () => {
    expect(entryOf({ activate }, 'm')).toEqual({ activate });
    expect(() => entryOf({ default: { activate } }, 'm')).toThrow(/default export only.*export function activate/);
    expect(() => entryOf({ start: activate }, 'm')).toThrow(/exports no function `activate`/);
    expect(() => entryOf({ activate: 1 }, 'm')).toThrow(/exports no function/);
  });
});
