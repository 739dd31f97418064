/**
 * One telemetry made of several.
 *
 * TL1 One of them that throws hurts neither the others nor what it was told of.
 */
import type { ModelCallEnd, ModelCallWatch, Telemetry, ToolCallEnd } from '../ports/telemetry.ts';

/** Tells every listener what it listens for; `failed` hears of one that threw. */
export const tellAll = (listeners: readonly Partial<Telemetry>[], failed: (error: unknown) => void): Telemetry => {
  const safely = <Result>(tell: () => Result): Result | undefined => {
    try {
      return tell();
    } catch (error) {
      failed(error);
      return undefined;
    }
  };
  const each = <Args extends readonly unknown[]>(tells: readonly (((...args: Args) => void) | undefined)[]) => {
    const heard = tells.filter((tell) => tell !== undefined);
    return (...args: Args): void => {
      for (const tell of heard) {
        try {
          tell(...args);
        } catch (error) {
          failed(error);
        }
      }
    };
  };
  const of = <Name extends keyof Telemetry>(name: Name): readonly Telemetry[Name][] =>
    listeners.map((listener) => listener[name]).filter((tell) => tell !== undefined);
  const modelCalls = of('modelCallBegan');
  const toolCalls = of('toolCallBegan');
  return {
    committed: each(of('committed')),
    modelCallBegan: (call) => {
      const watches = modelCalls.map((begin) => safely(() => begin(call)));
      return {
        began: each(watches.map((watch: ModelCallWatch | undefined) => watch?.began)),
        ended: each<[ModelCallEnd]>(watches.map((watch) => watch?.ended)),
      };
    },
    toolCallBegan: (call) => each<[ToolCallEnd]>(toolCalls.map((begin) => safely(() => begin(call)))),
    runsRecovered: each(of('runsRecovered')),
    leaseTaken: each(of('leaseTaken')),
    leaseLost: each(of('leaseLost')),
    batchEnded: each(of('batchEnded')),
    storeFailed: each(of('storeFailed')),
    requestAnswered: each(of('requestAnswered')),
    webhookAttempted: each(of('webhookAttempted')),
    webhookPaused: each(of('webhookPaused')),
    minitoolEnded: each(of('minitoolEnded')),
    minitoolCalled: each(of('minitoolCalled')),
    minitoolToolRan: each(of('minitoolToolRan')),
  };
};
