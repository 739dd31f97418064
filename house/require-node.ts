/**
 * Vitest's global set-up: the tests run on the Node that the product runs on, or not at all.
 *
 * An older Node would fail later and elsewhere (no `node:sqlite`, no type stripping), with messages that mislead.
 */
export const wantedNodeMajor = 26;

export const setup = (): void => {
  const major = Number.parseInt(process.versions.node, 10);
  if (major >= wantedNodeMajor) return;
  throw new Error(
    `The tests need Node ${wantedNodeMajor}, this is ${process.versions.node} (${process.execPath}). ` +
      'Run them as npm scripts (npm test): on Linux, npm ci brings Node along and npm scripts find it first. Elsewhere install Node 26.',
  );
};
