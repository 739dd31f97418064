/** What is made of files while the process dies or the store fails: each is published once, and as it was written (L7). */
import { expect } from 'vitest';
import { readFile } from '../../app/read-files.ts';
import { ann, builtin } from '../harness/client.ts';
import { wholeLog } from '../harness/log-checker.ts';
import type { Scenario } from './crash-scenarios.ts';

const published: Scenario = {
  name: 'a file that is written, published, and written anew',
  prepare: ({ model }) => {
    const write = (content: string) => ({ call: 'write_file', input: { path: 'out/report.md', content } });
    model.when('report', [write('first')], [{ call: 'publish_artifact', input: { path: 'out/report.md' } }], [write('second')], [{ text: 'reported' }]);
  },
  run: async (world, client) => {
    const session = await client.session(await client.agent({ tools: [builtin('write_file'), builtin('publish_artifact')] }));
    const turn = await client.seeThrough(session, await client.submit(session, 'report'));
    expect(turn).toMatchObject({ status: 'completed', outputText: 'reported' });
    const loaded = await world.store.load(session as Parameters<typeof world.store.load>[0]);
    const shown = (await wholeLog(world.store, loaded?.head.sid ?? 0)).flatMap(({ event }) => (event.type === 'artifact.published' ? [event.data] : []));
    expect(shown.map(({ name }) => name)).toEqual(['report.md']);
    const file = await readFile(world.engine.app, ann, session, shown[0]?.file_id ?? '');
    expect(file).toMatchObject({ name: 'report.md', size: 'first'.length });
    return session;
  },
};

export const fileScenarios: readonly Scenario[] = [published];
