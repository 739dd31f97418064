/**
 * Whether the store takes writes, asked on behalf of load balancers.
 *
 * HH1 Of any number of questions at once the store hears one, and one a second at most: asking costs a durable write.
 * HH2 Every question is answered within `patienceMs`, also while the store hangs: it is not asked again until then.
 */
import type { App } from '../app/app.ts';

export type Health = { readonly ready: boolean; readonly detail?: string };

const freshMs = 1_000;
const patienceMs = 2_000;

const refused: Health = { ready: false, detail: 'The store cannot take writes now.' };
const silent: Health = { ready: false, detail: `The store has not answered for ${patienceMs / 1_000} s.` };

type Asked = { readonly kind: 'answered'; readonly health: Health; readonly at: number } | { readonly kind: 'waiting'; readonly health: Promise<Health> };

export const createStoreHealth = (ping: () => Promise<void>, clock: App['clock']): (() => Promise<Health>) => {
  let asked: Asked | undefined;

  const ask = (): Promise<Health> => {
    const health = new Promise<Health>((resolve) => {
      const giveUp = clock.after(patienceMs, () => resolve(silent));
      const answered = (answer: Health): void => {
        giveUp();
        asked = { kind: 'answered', health: answer, at: clock.now() };
        resolve(answer);
      };
      ping().then(
        () => answered({ ready: true }),
        () => answered(refused),
      );
    });
    asked = { kind: 'waiting', health };
    return health;
  };

  return async () => {
    if (!asked) return ask();
    if (asked.kind === 'waiting') return asked.health;
    return clock.now() - asked.at < freshMs ? asked.health : ask();
  };
};
