import type { OpenAction } from '@turnkeeper/client/calls/actions';
import type { ActionBody } from '@turnkeeper/core/view/action';
import { beforeEach, expect, test } from 'vitest';
import { createApprovals } from './approvals-store.ts';

const action = (id: string, at: number): OpenAction => ({
  request_id: id,
  turn_id: 'turn_1',
  session_id: 'ses_1',
  kind: 'confirmation',
  version: 1,
  status: 'open',
  answer_schema: {},
  approver: 'owner',
  created_at: at,
});

let open: OpenAction[];
let closed: Partial<ActionBody>[];
const calls = {
  page: async () => ({ required_actions: Object.fromEntries(open.map((entry) => [entry.request_id, entry])), commands: [], has_more: false }),
  allActions: async () => ({ data: closed.map((data) => ({ data })) as never, next_cursor: null, has_more: false }),
};
beforeEach(() => {
  open = [action('b', 2), action('a', 1), action('c', 3)];
  closed = [];
});
const ids = (store: ReturnType<typeof createApprovals>) => store.get().open?.map(({ request_id }) => request_id);

test('the oldest comes first', async () => {
  const store = createApprovals(calls);
  expect(ids(store)).toBeUndefined();
  await store.refresh();
  expect(ids(store)).toEqual(['a', 'b', 'c']);
});

test('AP1 what was answered here does not come back from an older answer, and is not told as somebody else’s', async () => {
  const store = createApprovals(calls);
  await store.refresh();
  store.answered('a');
  expect(ids(store)).toEqual(['b', 'c']);
  await store.refresh();
  expect(ids(store)).toEqual(['b', 'c']);
  open = open.filter(({ request_id }) => request_id !== 'a');
  await store.refresh();
  expect(store.get().gone).toEqual([]);
});

test('AP1 a reading that overtakes the answer to what was answered here does not tell of it', async () => {
  let asked = 0;
  const store = createApprovals({
    ...calls,
    allActions: async () => {
      asked += 1;
      store.answered('b');
      return calls.allActions();
    },
  });
  await store.refresh();
  open = [action('a', 1), action('c', 3)];
  closed = [{ request_id: 'b', status: 'answered', resolved_by: 'user:usr_1' }];
  await store.refresh();
  await store.refresh();
  expect([asked, store.get().gone]).toEqual([1, []]);
});

test('AP2 what somebody else answered is told once, with the name', async () => {
  const store = createApprovals(calls);
  await store.refresh();
  open = [action('a', 1), action('c', 3)];
  closed = [{ request_id: 'b', status: 'denied', resolved_by: 'user:usr_2' }];
  await store.refresh();
  expect(ids(store)).toEqual(['a', 'c']);
  await expect.poll(() => store.get().gone.map((gone) => [gone.action.request_id, gone.resolution])).toEqual([['b', { status: 'denied', by: 'user:usr_2' }]]);
  await store.refresh();
  expect(store.get().gone).toHaveLength(1);
  store.dismiss('b');
  expect(store.get().gone).toEqual([]);
});

test('AP2 what only moved out of sight is not told', async () => {
  const store = createApprovals(calls);
  await store.refresh();
  open = [action('a', 1), action('c', 3)];
  closed = [{ request_id: 'b', status: 'open' }];
  await store.refresh();
  open = [];
  closed = [{ request_id: 'c', status: 'expired' }];
  await store.refresh();
  await expect
    .poll(() =>
      store
        .get()
        .gone.map((gone) => gone.resolution.status)
        .sort(),
    )
    .toEqual(['cancelled', 'expired']);
});

test('a failed reading keeps what was read; asked twice at once it reads again, never two at a time', async () => {
  let at = 0;
  let most = 0;
  let broken = false;
  const store = createApprovals({
    ...calls,
    page: async () => {
      at += 1;
      most = Math.max(most, at);
      await Promise.resolve();
      at -= 1;
      if (broken) throw new Error('no network');
      return calls.page();
    },
  });
  await Promise.all([store.refresh(), store.refresh(), store.refresh()]);
  expect(most).toBe(1);
  broken = true;
  await store.refresh();
  expect(store.get().fault?.message).toBe('no network');
  expect(ids(store)).toEqual(['a', 'b', 'c']);
});
