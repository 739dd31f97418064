import type { SessionId } from '@turnkeeper/core/session/ids';
import { describe, expect, it } from 'vitest';
import { type FileIndex, type FileRow, workspaceUse } from '../../ports/file-index.ts';
import { type OpenStore, useStore } from './opened-store.ts';
import { command, createdSession, sampleTime, taken, unique } from './samples.ts';

const limits = { files: 4, bytes: 100 };

const fileOf = (sessionId: string, more: Partial<FileRow> = {}): FileRow => ({
  id: unique('file_'),
  sessionId,
  name: 'ré"port.txt',
  mediaType: 'text/plain',
  size: 10,
  sha256: 'a'.repeat(64),
  blob: `${sessionId}/${unique('blob_')}`,
  path: null,
  source: 'upload',
  createdAt: sampleTime,
  ...more,
});
const written = (sessionId: string, path: string, more: Partial<FileRow> = {}) => ({ ...fileOf(sessionId, { source: 'workspace', ...more }), path });

/** The port of files: FB5 to FB8, FB10. */
export const describeFiles = (open: OpenStore): void => {
  describe('files', () => {
    const store = useStore(open, 'all');
    const files = (): FileIndex => store.now().files;
    const newSession = async (): Promise<string> => (await createdSession(store.sessions())).id;
    const remove = async (id: string): Promise<void> => {
      const loaded = await store.sessions().load(id as SessionId);
      if (!loaded) throw new Error('no session');
      taken(await store.sessions().write(command(loaded.head, { session: { deletedAt: 5 } })));
    };
    const looseOf = async (sessionId: string): Promise<string[]> =>
      (await files().loose(sampleTime + 1_000_000, 10_000)).filter((blob) => blob.startsWith(sessionId));

    it('FB7 a file is found by its session and id, by its path and by its key, whole', async () => {
      const session = await newSession();
      const other = await newSession();
      const file = fileOf(session, { path: 'uploads/ré"port.txt' });
      const key = { scope: unique('s'), key: 'k', hash: 'h' };
      expect(await files().add(file, { limits, key })).toBe('added');
      expect(await files().file(session, file.id)).toEqual(file);
      expect(await files().fileAt(session, 'uploads/ré"port.txt')).toEqual(file);
      expect(await files().fileByKey(key.scope, 'k')).toEqual({ file, hash: 'h' });
      expect(await files().file(other, file.id)).toBeUndefined();
      expect(await files().fileAt(other, 'uploads/ré"port.txt')).toBeUndefined();
      expect(await files().fileByKey(unique('s'), 'k')).toBeUndefined();
    });

    it('lists pages in the order of arrival, without what is in the workspace alone; paths in their order', async () => {
      const session = await newSession();
      const list = ['file_a', 'file_b', 'file_c'].map((name, n) => fileOf(session, { id: unique(name), path: n === 1 ? 'uploads/b' : null }));
      for (const file of list) expect(await files().add(file, { limits })).toBe('added');
      const work = written(session, 'a/notes.md');
      expect(await files().put(work, limits)).toBe('added');
      expect(await files().files(session, { offset: 0, limit: 10 })).toEqual(list);
      expect(await files().files(session, { offset: 1, limit: 1 })).toEqual([list[1]]);
      expect(await files().paths(session, 10)).toEqual([work, list[1]]);
    });

    it('FB5 a noted name is loose until a file has it', async () => {
      const session = await newSession();
      const file = fileOf(session);
      await files().note(file.blob, sampleTime);
      await files().note(`${session}/abandoned`, sampleTime - 1);
      expect(await looseOf(session)).toEqual([`${session}/abandoned`, file.blob]);
      expect(await files().loose(sampleTime - 1, 10_000)).not.toContain(`${session}/abandoned`);
      expect(await files().add(file, { limits })).toBe('added');
      expect(await looseOf(session)).toEqual([`${session}/abandoned`]);
      await files().forget([`${session}/abandoned`]);
      expect(await looseOf(session)).toEqual([]);
    });

    it('FB5 a file that is refused leaves its bytes loose', async () => {
      const session = await newSession();
      const file = fileOf(session, { size: 101 });
      await files().note(file.blob, sampleTime);
      expect(await files().add(file, { limits })).toBe('full');
      expect(await looseOf(session)).toEqual([file.blob]);
    });

    it('FB7 what is written at a path takes the place of what was there, whose bytes are loose then', async () => {
      const session = await newSession();
      const first = written(session, 'a.md');
      const second = written(session, 'a.md', { size: 99, name: 'a.md', sha256: 'b'.repeat(64) });
      for (const file of [first, second]) {
        await files().note(file.blob, sampleTime);
        // The one before makes room: it counts no more.
        expect(await files().put(file, limits)).toBe('added');
      }
      expect(await files().fileAt(session, 'a.md')).toEqual(second);
      expect(await files().file(session, first.id)).toBeUndefined();
      expect(await looseOf(session)).toEqual([first.blob]);
      expect(await files().put(written(session, 'a.md', { size: 101 }), limits)).toBe('full');
      expect(await files().fileAt(session, 'a.md')).toEqual(second);
      expect(await looseOf(session)).toEqual([first.blob]);
    });

    it('an upload is not written over', async () => {
      const session = await newSession();
      const upload = fileOf(session, { path: 'uploads/a' });
      expect(await files().add(upload, { limits })).toBe('added');
      expect(await files().put(written(session, 'uploads/a'), limits)).toBe('taken');
      expect(await files().add(fileOf(session, { path: 'uploads/a' }), { limits })).toBe('taken');
      expect(await files().fileAt(session, 'uploads/a')).toEqual(upload);
      expect(await looseOf(session)).toEqual([]);
    });

    it('FB6 limits hold over files that come together', async () => {
      const bytes = await newSession();
      const outcomes = await Promise.all(Array.from({ length: 6 }, () => files().add(fileOf(bytes, { size: 40 }), { limits })));
      expect(outcomes.toSorted()).toEqual(['added', 'added', 'full', 'full', 'full', 'full']);
      const many = await newSession();
      const counted = await Promise.all(Array.from({ length: 6 }, (_, n) => files().put(written(many, `p${n}`, { size: 1 }), limits)));
      expect(counted.filter((outcome) => outcome === 'added')).toHaveLength(limits.files);
    });

    it('FB7 of writes to one path that come together one stands, and the bytes of all others are loose', async () => {
      const session = await newSession();
      const all = Array.from({ length: 6 }, () => written(session, 'a.md'));
      for (const file of all) await files().note(file.blob, sampleTime);
      expect(await Promise.all(all.map((file) => files().put(file, limits)))).toEqual(Array(6).fill('added'));
      const stands = await files().fileAt(session, 'a.md');
      expect((await looseOf(session)).toSorted()).toEqual(all.flatMap(({ blob }) => (blob === stands?.blob ? [] : [blob])).toSorted());
    });

    it('FB8 a key brings one file, whoever comes together', async () => {
      const session = await newSession();
      const key = { scope: unique('s'), key: 'k', hash: 'h' };
      const outcomes = await Promise.all(Array.from({ length: 6 }, (_, n) => files().add(fileOf(session, { path: `uploads/${n}` }), { limits, key })));
      expect(outcomes.filter((outcome) => outcome === 'added')).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === 'taken')).toHaveLength(5);
      expect(await files().files(session, { offset: 0, limit: 10 })).toHaveLength(1);
    });

    it('FB6 a deleted session takes no file, and gives up those that it had, its keys with them', async () => {
      const [session, other] = [await newSession(), await newSession()];
      const key = { scope: unique('s'), key: 'k', hash: 'h' };
      const file = fileOf(session);
      expect(await files().add(file, { limits, key })).toBe('added');
      expect(await files().add(fileOf(other), { limits })).toBe('added');
      await files().dropDeleted(sampleTime, session);
      expect(await files().file(session, file.id)).toEqual(file);
      await remove(session);
      expect(await files().add(fileOf(session), { limits })).toBe('gone');
      expect(await files().put(written(session, 'a'), limits)).toBe('gone');
      expect(await files().add(fileOf('ses_unknown'), { limits })).toBe('gone');
      await files().dropDeleted(sampleTime);
      expect(await files().file(session, file.id)).toBeUndefined();
      expect(await files().fileByKey(key.scope, key.key)).toBeUndefined();
      expect(await looseOf(session)).toEqual([file.blob]);
      expect(await files().files(other, { offset: 0, limit: 10 })).toHaveLength(1);
    });

    it('FB6 a session below a deleted root gives up its files, though its own deletion was missed', async () => {
      const root = await newSession();
      const child = (await createdSession(store.sessions(), { row: { root: root as SessionId, path: 'helper:1' } })).id;
      const file = fileOf(child);
      expect(await files().add(file, { limits })).toBe('added');
      await files().dropDeleted(sampleTime);
      expect(await looseOf(child)).toEqual([]);
      await remove(root);
      await files().dropDeleted(sampleTime);
      expect(await looseOf(child)).toEqual([file.blob]);
      expect(await files().file(child, file.id)).toBeUndefined();
    });

    /** A session that works in the workspace of another one. */
    const workingIn = async (owner: string): Promise<string> => {
      const id = unique('ses_');
      const receipts = [{ scope: workspaceUse(owner), key: id, hash: '', answer: '{}', at: sampleTime }];
      return (await createdSession(store.sessions(), { id, write: { receipts } })).id;
    };

    it('FB10 what has a path stays while a session is there that works on it, and goes with the last of them; what has none goes at once', async () => {
      const owner = await newSession();
      const [first, second] = [await workingIn(owner), await workingIn(owner)];
      const upload = fileOf(owner, { path: 'uploads/a' });
      const notes = written(owner, 'notes.md');
      const shown = fileOf(owner, { source: 'published' });
      for (const file of [upload, shown]) expect(await files().add(file, { limits })).toBe('added');
      expect(await files().put(notes, limits)).toBe('added');
      await remove(owner);
      for (const id of [owner, undefined]) {
        await files().dropDeleted(sampleTime, id);
        expect(await files().paths(owner, 10)).toEqual([notes, upload]);
        expect(await looseOf(owner)).toEqual([shown.blob]);
      }
      await remove(first);
      await files().dropDeleted(sampleTime);
      expect(await files().paths(owner, 10)).toEqual([notes, upload]);
      await remove(second);
      await files().dropDeleted(sampleTime, owner);
      expect(await files().paths(owner, 10)).toEqual([]);
      expect((await looseOf(owner)).toSorted()).toEqual([notes.blob, upload.blob, shown.blob].toSorted());
    });

    it('FB10 also when all rows of the session itself have gone', async () => {
      const owner = await newSession();
      const other = await workingIn(owner);
      const notes = written(owner, 'notes.md');
      expect(await files().put(notes, limits)).toBe('added');
      await remove(owner);
      const sid = (await store.sessions().load(owner as SessionId))?.head.sid ?? 0;
      while (!(await store.now().retention.purge(sid, 100)));
      await files().dropDeleted(sampleTime);
      expect(await files().paths(owner, 10)).toEqual([notes]);
      const later = written(owner, 'notes.md', { size: 20 });
      expect(await files().put(later, limits, notes.id, other)).toBe('added');
      expect(await files().paths(owner, 10)).toEqual([later]);
    });

    it('FB10 FB6 writers of one workspace count together, whoever they are, also where its session was deleted', async () => {
      for (const isDeleted of [false, true]) {
        const owner = await newSession();
        const writers = [await workingIn(owner), await workingIn(owner), ...(isDeleted ? [] : [owner])];
        if (isDeleted) await remove(owner);
        const outcomes = await Promise.all(
          Array.from({ length: 6 }, (_, n) => files().put(written(owner, `p${n}`, { size: 40 }), limits, null, writers[n % writers.length])),
        );
        expect(outcomes.toSorted()).toEqual(['added', 'added', 'full', 'full', 'full', 'full']);
        await remove(writers[0] ?? '');
        expect(await files().put(written(owner, 'p9', { size: 1 }), limits, null, writers[0])).toBe('gone');
      }
    });
  });
};
