/** What sessions with teams and workflows refuse (failure case 40). */
import { expect } from 'vitest';
import { freshKey, sessions, type Target } from '../client/target.ts';

const asks = [
  ['steer', 'POST', '/turns/turn_none/steer', { message: 'x' }],
  ['steer', 'POST', '/turns/turn_none/inputs', { message: 'x' }],
  ['steer', 'POST', '/turns', { message: 'x', onBusy: 'steer' }],
  ['inject', 'POST', '/inputs/inject', { message: 'x' }],
  ['checkpoints', 'GET', '/checkpoints', undefined],
  ['checkpoints', 'POST', '/checkpoints/restore', { checkpoint_id: 'ckpt_none', reason: 'x' }],
  ['fork', 'POST', '/fork', { reason: 'x' }],
] as const;

/** Each is refused, and `/capabilities` says so; nothing was accepted by it. */
export const expectRefused = async ({ call }: Target, session: string, capabilities: Readonly<Record<string, boolean>>): Promise<void> => {
  for (const [capability, method, path, body] of asks) {
    expect([capability, capabilities[capability]]).toEqual([capability, false]);
    const answer = await call(method, `${sessions}/${session}${path}`, body ? { body, key: freshKey() } : {});
    expect([path, answer.status, answer.body['code']]).toEqual([path, 409, 'not_supported']);
  }
  expect((await call('GET', `${sessions}/${session}/turns`)).body['items']).toEqual([]);
};
