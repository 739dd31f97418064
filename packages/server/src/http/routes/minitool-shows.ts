/** What mini-tools show people: toasts and dialogs, told as they come, and answered. */
import { answerShowRequest } from '@turnkeeper/core/protocol/wire/minitool-shows';
import { answerShow, showFeed } from '../../app/minitools/shows.ts';
import type { Api, ApiServices } from '../api.ts';
import { localeOf } from '../locale.ts';
import { operation } from '../openapi/operation.ts';
import { openShowReader } from '../sse/open-reader.ts';
import { showParams } from './addresses.ts';

const tag = 'minitools';

const follow = operation(
  {
    summary: 'Follow what mini-tools show you',
    description:
      'Toasts and dialogs of the mini-tools that you may use; of all for admins. Events `now` (all that is shown now: first, and again where you may see more or ' +
      'less), `shown` and `closed`, without cursors: whoever comes again is told `now` again. Whoever has it open is there for mini-tools that ask. Of the node ' +
      'that is asked: mini-tools run on one. For users, not for keys.',
    tag,
    answers: { 200: 'text/event-stream' },
    errors: [403],
  },
  {},
);
const answer = operation(
  {
    summary: 'Answer what a mini-tool shows',
    description:
      'The first answer counts. A toast takes `action`: `action` or `dismissed`; a confirmation `confirmed`; a modal dialog `action`, the id of a button or ' +
      '`dismissed`, and with a form `values`, which a `secondary` button does not want. What was answered or has ended lately is `action_resolved`.',
    tag,
    answers: { 204: null },
    errors: [403, 404, 409],
  },
  { params: showParams, body: answerShowRequest },
);

export const registerMinitoolShows = (api: Api, all: ApiServices): void => {
  const { minitools } = all;
  if (!minitools) return;
  const services = { ...all, minitools };
  api.get('/minitool-shows/stream', { schema: follow }, async (request, reply) =>
    openShowReader(services, request, reply, showFeed(services, request.caller, localeOf(request))),
  );
  api.post('/minitool-shows/:showId/answer', { schema: answer }, async ({ caller, params, body }, reply) => {
    await answerShow(services, caller, params.showId, body);
    return reply.code(204).send();
  });
};
