/** Lists of sessions: filters, and what is looked for in titles, metadata and messages; and the overview over them. */
import { beforeAll, describe, expect, test } from 'vitest';
import { byKey, byToken, newApplication, newKey, newPerson } from '../client/people.ts';
import { freshKey, sessions, type Target } from '../client/target.ts';

type Page = { readonly items: readonly { readonly title: string; readonly createdAt: number }[]; readonly next_offset: number | null };

export const describeSessionLists = (target: () => Target): void => {
  describe('a list of sessions', () => {
    // Others make sessions, too: what these are found by is theirs alone.
    const mark = crypto.randomUUID();
    const ids: string[] = [];
    const page = async (query: string): Promise<Page> => (await target().call('GET', `${sessions}?metadata.mark=${mark}&${query}`)).body as unknown as Page;
    const titles = async (query: string): Promise<string[]> => (await page(query)).items.map(({ title }) => title);

    beforeAll(async () => {
      const { call, agent, submit, settled } = target();
      for (const [title, metadata, answer] of [
        ['One', { mark, n: 1, customer: 'Ä & Co' }, `Straße ${mark}`],
        ['Two', { mark, n: '1', deep: { customer: 'Ä & Co' } }, '今天天气很好'],
        ['Three', { mark, vip: true }, 'Nothing of note'],
      ] as const) {
        const id = String((await call('POST', sessions, { body: { agent, title, metadata } })).body['id']);
        ids.push(id);
        await settled(id, await submit(id, [[{ text: answer }]]));
      }
    });

    test('by members of the metadata, with exactly this value', async () => {
      expect(await titles('')).toEqual(['Three', 'Two', 'One']);
      expect(await titles('metadata.n=1')).toEqual(['Two', 'One']);
      expect(await titles(`metadata.customer=${encodeURIComponent('Ä & Co')}`)).toEqual(['One']);
      expect(await titles(`metadata.customer=${encodeURIComponent('ä & co')}`)).toEqual([]);
      expect(await titles('metadata.vip=true&metadata.n=1')).toEqual([]);
      expect(await titles('metadata.vip=true')).toEqual(['Three']);
      const { call } = target();
      for (const wrong of ['metadata.=x', 'metadata.a=1&metadata.a=2', 'activity=asleep', 'order=title', 'created_from=soon'])
        expect([wrong, await call('GET', `${sessions}?${wrong}`)]).toMatchObject([wrong, { status: 422, body: { code: 'validation_failed' } }]);
    });

    test('by what they do and what they were made for', async () => {
      const { call, agent, submit } = target();
      const turn = await submit(ids[1] ?? '', [[{ hang: true }]]);
      await expect.poll(() => titles('activity=running')).toEqual(['Two']);
      expect(await titles('activity=idle')).toEqual(['Three', 'One']);
      await call('POST', `${sessions}/${ids[1]}/turns/${turn}/cancel`, { key: freshKey(), body: {} });
      await expect.poll(() => titles('activity=idle')).toEqual(['Three', 'Two', 'One']);
      expect(await titles(`target=${agent}`)).toEqual(['Three', 'Two', 'One']);
      expect(await titles('target=agent_other')).toEqual([]);
    });

    test('by when, and the last changed first', async () => {
      const { call } = target();
      const at = (await page('')).items.map(({ createdAt }) => createdAt);
      expect(await titles(`created_from=${(at[0] ?? 0) + 1}`)).toEqual([]);
      expect(await titles(`created_from=${at[2]}&created_before=${(at[0] ?? 0) + 1}`)).toEqual(['Three', 'Two', 'One']);
      expect(await titles(`created_before=${at[2]}`)).toEqual([]);
      expect(await titles('updated_before=1')).toEqual([]);
      await call('PATCH', `${sessions}/${ids[0]}`, { body: { metadata: { mark, n: 1, customer: 'Ä & Co', changed: null } } });
      expect((await titles('order=updated'))[0]).toBe('One');
      expect(await titles('metadata.changed=null')).toEqual(['One']);
      expect(await titles('order=updated&limit=1')).toEqual(['One']);
      expect(await titles('order=updated&limit=5&offset=1')).toHaveLength(2);
    });

    test('by what they cost', async () => {
      expect(await titles('min_cost=0')).toEqual(['Three', 'Two', 'One']);
      expect(await titles('min_cost=1000000')).toEqual([]);
    });

    test('by what was said, whatever the case and the script', async () => {
      const said = (text: string) => titles(`text=${encodeURIComponent(text)}`);
      expect(await said(`STRAßE ${mark.toUpperCase()}`)).toEqual(['One']);
      expect(await said('天气')).toEqual(['Two']);
      expect(await said('nothing OF')).toEqual(['Three']);
      expect(await said('n_thing')).toEqual([]);
      expect(await said('item_')).toEqual([]);
      // What users said, too: here all said a script.
      expect(await said('"steps"')).toEqual(['Three', 'Two', 'One']);
      const first = await page(`limit=2&text=${encodeURIComponent('"steps"')}`);
      expect(first).toMatchObject({ items: [{ title: 'Three' }, { title: 'Two' }], searched_until: first.items[1]?.createdAt });
      expect(await titles(`text=steps&limit=2&offset=${first.next_offset}`)).toEqual(['One']);
      expect(await titles('text=steps&q=wo')).toEqual(['Two']);
      expect(await page('text=tomato')).toEqual({ items: [], next_offset: null });
    });
  });

  describe('what a person keeps at hand', () => {
    test('PI1, PI2 is theirs alone, the last one first, and neither of two changes at once is lost', async () => {
      const { call } = target();
      const [me, other] = [await newPerson(target()), await newPerson(target())].map(({ token }) => byToken(token));
      const change = (body: object, by = me) => call('PATCH', '/api/v1/pins', { body, ...by });
      expect(await call('GET', '/api/v1/pins', me)).toMatchObject({ status: 200, body: { sessions: [] } });
      expect((await change({ add: ['ses_1'] })).body).toEqual({ sessions: ['ses_1'] });
      await Promise.all(['ses_2', 'ses_3', 'ses_4'].map((id) => change({ add: [id] })));
      expect(((await call('GET', '/api/v1/pins', me)).body['sessions'] as string[]).toSorted()).toEqual(['ses_1', 'ses_2', 'ses_3', 'ses_4']);
      expect((await change({ add: ['ses_1'], remove: ['ses_2', 'ses_3', 'ses_9'] })).body).toEqual({ sessions: ['ses_1', 'ses_4'] });
      const many = Array.from({ length: 50 }, (_, n) => `ses_many_${n}`);
      expect((await change({ add: many })).body).toEqual({ sessions: many });
      expect(await call('GET', '/api/v1/pins', other)).toMatchObject({ body: { sessions: [] } });
      expect(await change({ add: [...many, 'one more'] })).toMatchObject({ status: 422 });
      const key = await newKey(target(), (await newApplication(target())).id);
      expect(await call('GET', '/api/v1/pins', byKey(key))).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      await change({ remove: many });
      expect((await call('GET', '/api/v1/pins', me)).body).toEqual({ sessions: [] });
    });
  });

  describe('an overview', () => {
    type Turns = readonly { readonly session_id: string; readonly turn_id: string; readonly error_message?: string }[];
    const now = async () => (await target().call('GET', '/api/v1/overview')).body as { readonly running_turns: Turns; readonly failed_turns: Turns };

    test('names the turns that run and those that failed', async () => {
      const { call, agent, submit, settled } = target();
      const id = String((await call('POST', sessions, { body: { agent } })).body['id']);
      const failed = await submit(id, [[{ error: { retryable: false, message: 'out of order' } }]]);
      await settled(id, failed);
      const running = await submit(id, [[{ hang: true }]]);
      await expect.poll(async () => (await now()).running_turns.map(({ turn_id }) => turn_id)).toContain(running);
      expect((await now()).failed_turns.find(({ turn_id }) => turn_id === failed)).toMatchObject({ session_id: id, error_message: 'out of order' });
      await call('POST', `${sessions}/${id}/turns/${running}/cancel`, { key: freshKey(), body: {} });
      await expect.poll(async () => (await now()).running_turns.map(({ turn_id }) => turn_id)).not.toContain(running);
      expect(await call('GET', '/api/v1/overview?day_from=1')).toMatchObject({ status: 422 });
    });
  });
};
