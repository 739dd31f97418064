/**
 * Use cases: people see what mini-tools show them, and answer it.
 *
 * SZ5 Whoever may not see a mini-tool is told nothing of what it shows, and what they answer meets nothing.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { AnswerShowRequest, MinitoolShow, ShowEnd, ShowNews } from '@turnkeeper/core/protocol/wire/minitool-shows';
import type { Fault } from '@turnkeeper/core/protocol/wire-faults';
import type { MinitoolLocale } from '../../ports/minitool-host.ts';
import type { Show } from '../../ports/minitool-shows.ts';
import { requireUser } from '../administration.ts';
import type { Caller, UserCaller } from '../caller.ts';
import { mayUse } from './find-minitool.ts';
import type { MinitoolServices } from './minitool-services.ts';
import { answerFaults } from './show-answers.ts';

const maySee = (user: UserCaller, minitoolId: string): boolean => user.admin || user.minitools.has(minitoolId);

export type ShowFeed = {
  /** All of it from now on, first what is shown now; the function ends that. */
  readonly follow: (tell: (news: ShowNews) => void) => () => void;
  /** The reader may see more or less than before: all is told again where that is so. */
  readonly readBy: (caller: Caller) => void;
};

const shown = ({ id, minitoolId, names, at, expiresAt, content }: Show, locale: MinitoolLocale, now: number): MinitoolShow => ({
  id,
  minitool: { id: minitoolId, name: names[locale] },
  at,
  leftMs: Math.max(0, expiresAt - now),
  content,
});

const rightsOf = ({ admin, minitools }: UserCaller): string => JSON.stringify([admin, [...minitools].toSorted()]);

/** What mini-tools show this person. Throws `forbidden` for keys. */
export const showFeed = ({ app, minitools }: MinitoolServices, caller: Caller, locale: MinitoolLocale): ShowFeed => {
  let user = requireUser(caller);
  let tellAll = (): void => {};
  const sees = (minitoolId: string): boolean => maySee(user, minitoolId);
  return {
    follow: (tell) => {
      const { shows } = minitools;
      tellAll = () => tell({ type: 'now', shows: shows.open({ maySee: sees }).map((show) => shown(show, locale, app.clock.now())) });
      tellAll();
      return shows.watch({
        maySee: sees,
        shown: (show) => tell({ type: 'shown', show: shown(show, locale, app.clock.now()) }),
        closed: (id: string, reason: ShowEnd) => tell({ type: 'closed', id, reason }),
      });
    },
    readBy: (now) => {
      if (now.type !== 'user') return;
      const before = rightsOf(user);
      user = now;
      if (rightsOf(now) !== before) tellAll();
    },
  };
};

const noSuchShow = (): TurnkeeperError => new TurnkeeperError('not_found', 'There is nothing of that id that you could answer.');

const refused = (errors: readonly Fault[]): TurnkeeperError =>
  new TurnkeeperError('validation_failed', errors.map(({ pointer, detail }) => `${pointer}: ${detail}`).join('; '), { errors });

/** The first answer counts. Throws `not_found`, `validation_failed`, `action_resolved`, and for keys `forbidden`. */
export const answerShow = async ({ app, minitools }: MinitoolServices, caller: Caller, id: string, body: AnswerShowRequest): Promise<void> => {
  const user = requireUser(caller);
  const found = minitools.shows.find(id);
  const row = found && (await minitools.store.minitool(found.minitoolId));
  if (!found || !row || !mayUse(user, row)) throw noSuchShow();
  const over = (): TurnkeeperError => new TurnkeeperError('action_resolved', 'It was answered already, or is not shown any more.');
  if (!found.show) throw over();
  const faults = await answerFaults(app.tools, found.show.content, body);
  if (faults.length > 0) throw refused(faults);
  if (!minitools.shows.answer(id, { ...body, values: body.values as JsonObject | undefined })) throw over();
};
