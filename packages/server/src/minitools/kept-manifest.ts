/** The manifest as it was kept at the installation, read by the rules of this release. */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { type Manifest, manifest as manifestSchema } from '@turnkeeper/minitool/manifest/schema';
import type { MinitoolRow } from '../ports/minitools.ts';

/** Throws `validation_failed` for one that this release does not take any more. */
export const manifestOf = ({ id, manifest }: Pick<MinitoolRow, 'id' | 'manifest'>): Manifest => {
  const parsed = manifestSchema.safeParse(manifest);
  if (parsed.success) return parsed.data;
  throw new TurnkeeperError('validation_failed', `The manifest of "${id}" cannot be used by this release: ${parsed.error.issues[0]?.message ?? 'wrong'}.`);
};
