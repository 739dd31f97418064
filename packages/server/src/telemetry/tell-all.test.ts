import { expect, test, vi } from 'vitest';
import { tellAll } from './tell-all.ts';

test('TL1: one that throws hurts nobody', () => {
  const failed = vi.fn();
  const leaseLost = vi.fn();
  const ended = vi.fn();
  const thrower = (): never => {
    throw new Error('broken');
  };
  const call = { sessionId: 'ses_1', turnId: 'turn_1', run: 1, step: 1, request: { model: 'a:b', system: '', messages: [], tools: [] } } as const;
  const telemetry = tellAll(
    [
      { leaseLost: thrower, modelCallBegan: thrower },
      { leaseLost, modelCallBegan: () => ({ began: thrower, ended }) },
    ],
    failed,
  );
  telemetry.leaseLost('node_1', 3);
  const watch = telemetry.modelCallBegan(call);
  watch.began();
  watch.ended({ outcome: 'failed', errorCode: 'x' });
  expect(leaseLost).toHaveBeenCalledWith('node_1', 3);
  expect(ended).toHaveBeenCalledOnce();
  expect(failed).toHaveBeenCalledTimes(3);
  telemetry.storeFailed('write');
});
