/**
 * The commits in a write-ahead log file (https://www.sqlite.org/fileformat2.html#the_write_ahead_log).
 */

/** Where the commit ends in the file, and the pages that it wrote. */
export type Commit = { readonly end: number; readonly pages: readonly number[] };

const headerBytes = 32;
const frameHeaderBytes = 24;

/** Frames of an earlier round of the log, which carry another salt, are not looked at. */
export const commitsOf = (log: Buffer): Commit[] => {
  if (log.length < headerBytes) return [];
  const frameBytes = frameHeaderBytes + log.readUInt32BE(8);
  const salt = log.subarray(16, 24);
  const commits: Commit[] = [];
  let pages: number[] = [];
  for (let at = headerBytes; at + frameBytes <= log.length; at += frameBytes) {
    if (!log.subarray(at + 8, at + 16).equals(salt)) break;
    pages.push(log.readUInt32BE(at));
    // Of the last frame of a commit: the size of the database in pages.
    if (log.readUInt32BE(at + 4) === 0) continue;
    commits.push({ end: at + frameBytes, pages });
    pages = [];
  }
  return commits;
};
