import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { limits } from '@turnkeeper/core/protocol/wire/limits';
import type { PromptMessage } from '@turnkeeper/core/session/context';
import { expect, it } from 'vitest';
import type { SessionFiles } from '../app/session-files.ts';
import { readPromptFiles } from './prompt-files.ts';

const sends = (...ids: readonly string[]): PromptMessage => ({ role: 'user', content: ids.map((file_id) => ({ type: 'file', file_id })) });

it('reads the newest files that fit, each once; what does not fit is named, what is gone is left out (PF1)', async () => {
  const sizes: Readonly<Record<string, number>> = { old: limits.promptFileBytes, small: 10, lost: 5, new: limits.promptFileBytes - 20 };
  const read: string[] = [];
  const files = {
    index: {
      filesOf: async (session: string, ids: readonly string[]) =>
        ids.filter((id) => session === 'ses_1' && id in sizes).map((id) => ({ id, name: `${id}.pdf`, mediaType: 'application/pdf', size: sizes[id] })),
    },
    readAll: async ({ id }: { readonly id: string }) => {
      read.push(id);
      if (id === 'lost') throw new TurnkeeperError('not_found', 'The bytes of this file are not there.');
      return Buffer.from(id);
    },
  } as unknown as SessionFiles;
  const shown = await readPromptFiles(files, 'ses_1', [
    sends('old', 'small'),
    { role: 'assistant', content: [] },
    sends('new', 'gone'),
    sends('small', 'lost'),
  ]);
  expect(read).toEqual(['lost', 'small', 'new']);
  expect([...shown.keys()].toSorted()).toEqual(['lost', 'new', 'old', 'small']);
  expect(shown.get('lost')).toEqual({ name: 'lost.pdf', mediaType: 'application/pdf' });
  expect(shown.get('old')).toEqual({ name: 'old.pdf', mediaType: 'application/pdf' });
  expect(await readPromptFiles(files, 'ses_2', [sends('small')])).toEqual(new Map());
});
