import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import { Flag, MessagesSquare, Repeat2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { targetCan } from '../auth/target-can.ts';
import { formatDuration } from '../i18n/format.ts';
import { useLocale } from '../i18n/use-locale.ts';
import { useText } from '../i18n/use-text.ts';
import { pageAt } from '../shell/address.ts';
import { PlaceLink } from '../shell/place-link.tsx';
import { Button } from '../ui/button.tsx';
import { KeyHint } from '../ui/key-hint.tsx';
import { costOf, statusLooks, statusTexts } from './row-look.ts';
import { spanOf, type TraceRow } from './trace.ts';

type ReplayOf = { readonly session_id: string; readonly turn_id: string };
const replayOf = (session: SessionResource | undefined): ReplayOf | undefined => {
  const found = session?.metadata['replay_of'] as Partial<ReplayOf> | undefined;
  return typeof found?.session_id === 'string' && typeof found.turn_id === 'string' ? { session_id: found.session_id, turn_id: found.turn_id } : undefined;
};

const link = 'underline underline-offset-2 hover:text-ink';

/** The way back from a replay, and to what it came to beside what it was. */
const ReplayLinks = ({ session }: { readonly session: SessionResource }) => {
  const t = useText();
  const of = replayOf(session);
  if (!of) return null;
  return (
    <>
      {' · '}
      <PlaceLink to={pageAt('turn', { session: of.session_id, turn: of.turn_id })} className={link}>
        {t('turnReplayOf')}
      </PlaceLink>
      {' · '}
      <PlaceLink to={pageAt('checkpoints', { session: session.id, a: `${of.session_id}@${of.turn_id}`, b: session.id })} className={link}>
        {t('turnCompare')}
      </PlaceLink>
    </>
  );
};

type TurnHeaderProps = {
  readonly menuButton: ReactNode;
  readonly session: SessionResource | undefined;
  readonly turn: TraceRow | undefined;
  readonly n: number | undefined;
  readonly now: number;
  readonly onReplay: (() => void) | undefined;
};

const wayOut = 'flex h-9 items-center gap-1.5 rounded-xl px-2.5 text-[13px] text-ink-soft hover:bg-sunken hover:text-ink';

const Standing = ({ turn, now }: { readonly turn: TraceRow; readonly now: number }) => {
  const t = useText();
  const locale = useLocale();
  const { icon: Icon, tone } = statusLooks[turn.status];
  const { from, to } = spanOf(turn, now);
  const cost = costOf(turn, locale, t);
  const numbers = [
    formatDuration(to - from, t),
    ...(turn.usage ? [t('tokens', { count: turn.usage.total_tokens.toLocaleString(locale) })] : []),
    ...(cost ? [cost] : []),
  ];
  return (
    <span className="flex min-w-0 items-center gap-1.5 text-[13px] text-ink-soft" data-turn-status={turn.outcome ?? turn.status}>
      <Icon aria-hidden className={`size-4 shrink-0 motion-reduce:animate-none ${tone}`} />
      {t(statusTexts[turn.status])}
      <span className="truncate text-ink-faint tabular-nums max-sm:hidden">· {numbers.join(' · ')}</span>
    </span>
  );
};

export const TurnHeader = ({ menuButton, session, turn, n, now, onReplay }: TurnHeaderProps) => {
  const t = useText();
  return (
    <header className="flex min-h-16 shrink-0 items-center gap-2 border-b border-line px-4 py-2 sm:px-6">
      {menuButton}
      <div className="min-w-0 flex-1">
        <div className="flex min-w-0 items-center gap-3">
          <h1 className="shrink-0 text-[15px] leading-tight font-semibold">{n === undefined ? t('turnTitle') : t('turnNumber', { n })}</h1>
          {turn ? <Standing turn={turn} now={now} /> : null}
        </div>
        <p className="truncate text-[13px] leading-snug text-ink-faint">
          {session ? session.title || t('untitled') : ' '}
          {session ? <ReplayLinks session={session} /> : null}
        </p>
      </div>
      {session ? (
        <nav aria-label={t('pages')} className="flex items-center">
          <PlaceLink to={{ kind: 'session', id: session.id }} title={t('turnOpenSession')} className={wayOut}>
            <MessagesSquare aria-hidden className="size-4" />
            <span className="max-lg:sr-only">{t('turnOpenSession')}</span>
          </PlaceLink>
          {targetCan(session).fork ? (
            <PlaceLink to={pageAt('checkpoints', { session: session.id })} title={t('turnCheckpoints')} className={wayOut}>
              <Flag aria-hidden className="size-4" />
              <span className="max-lg:sr-only">{t('turnCheckpoints')}</span>
            </PlaceLink>
          ) : null}
        </nav>
      ) : null}
      {onReplay ? (
        <Button size="sm" onClick={onReplay} title={t('turnReplay')}>
          <Repeat2 aria-hidden className="size-4" />
          <span className="max-sm:sr-only">{t('turnReplay')}</span>
          <span className="max-sm:hidden">
            <KeyHint shown>R</KeyHint>
          </span>
        </Button>
      ) : null}
    </header>
  );
};
