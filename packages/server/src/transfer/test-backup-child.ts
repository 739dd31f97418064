/** Backs a folder up, or restores one, in a process of its own, as the command line does; prints what came of it as JSON. */
import { backUpFolder } from './back-up.ts';
import { restoreFolder } from './restore.ts';

const [, , what, folder = '', file = ''] = process.argv;
try {
  if (what === 'backup') await backUpFolder(folder, { to: file, madeAt: 1 });
  else restoreFolder(file, folder, { now: 1 });
  process.stdout.write(JSON.stringify({ done: true }));
} catch (error) {
  const { message, details } = error as { readonly message: string; readonly details?: { readonly reason?: string } };
  process.stdout.write(JSON.stringify({ reason: details?.reason, message }));
}
