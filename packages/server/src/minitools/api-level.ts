/**
 * Which version of the application that packages are written for this server stands in for: `ctx.app.getInfo()` says it, and a package
 * whose `minVersion` is newer is refused.
 */
import type { JsonObject } from '@turnkeeper/core/protocol/json';

export const apiLevel = '1.99.0';

const numbersOf = (version: string): readonly number[] => (version.split(/[-+]/)[0] ?? '').split('.').map(Number);

/** True where what a package wants is not newer than what it gets. */
export const meets = (minVersion: string, level = apiLevel): boolean => {
  const wanted = numbersOf(minVersion);
  const had = numbersOf(level);
  for (const [at, number] of wanted.entries()) {
    const difference = number - (had[at] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return true;
};

export const appInfo = (version: string, locale: 'en-US' | 'zh-CN'): JsonObject => ({
  // The name is part of the type that packages are compiled against.
  name: 'Finch',
  version: apiLevel,
  buildNumber: 1,
  versionDisplay: `${apiLevel} (Turnkeeper ${version})`,
  locale,
  platform: process.platform,
  userAgent: `Turnkeeper/${version}`,
  assistantName: 'Turnkeeper',
});
