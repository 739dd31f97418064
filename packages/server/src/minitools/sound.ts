/** Which of the kept mini-tools are to run (MH2). */
import type { MinitoolRow } from '../ports/minitools.ts';
import type { Installed } from './beginning.ts';
import { covers } from './consent.ts';
import { manifestOf } from './kept-manifest.ts';

/** Those that are enabled, sound, and agreed to. `complain`: of a manifest that cannot be used any more. */
export const soundOf = (rows: readonly MinitoolRow[], complain: (id: string, error: unknown) => void): readonly Installed[] =>
  rows.flatMap((row) => {
    if (row.status !== 'enabled') return [];
    try {
      const manifest = manifestOf(row);
      return covers(row.consent, manifest) ? [{ row, manifest }] : [];
    } catch (error) {
      complain(row.id, error);
      return [];
    }
  });
