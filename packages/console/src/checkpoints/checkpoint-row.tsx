import type { CheckpointResource } from '@turnkeeper/core/protocol/wire/context';
import { ChartGantt, GitFork, Pencil, Undo2 } from 'lucide-react';
import { formatAge } from '../i18n/format.ts';
import { useLocale } from '../i18n/use-locale.ts';
import { useText } from '../i18n/use-text.ts';
import { pageAt } from '../shell/address.ts';
import { PlaceLink } from '../shell/place-link.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Row } from '../ui/rows.tsx';
import { checkpointTitle, type Turns } from './checkpoint-texts.ts';

export type CheckpointActs = {
  readonly onCompare: (checkpointId: string) => void;
  readonly onRestore: (checkpointId: string) => void;
  readonly onFork: (checkpointId: string) => void;
  readonly onName: (checkpointId: string) => void;
};

type CheckpointRowProps = {
  readonly sessionId: string;
  readonly checkpoint: CheckpointResource;
  readonly turns: Turns;
  readonly name: string | undefined;
  readonly isNow: boolean;
  /** It is a side of the comparison. */
  readonly side: 'A' | 'B' | undefined;
  readonly now: number;
  readonly acts: CheckpointActs;
  readonly busy: boolean;
  /** Without it nothing that changes is offered. */
  readonly control: boolean;
  readonly canRestore: boolean;
};

const Acts = ({ checkpoint, isNow, acts, busy, control, canRestore }: CheckpointRowProps) => {
  const t = useText();
  const { checkpoint_id: id } = checkpoint;
  if (!control) return null;
  return (
    <>
      {canRestore && !isNow ? (
        <Button size="sm" onClick={() => acts.onRestore(id)}>
          <Undo2 aria-hidden className="size-4" />
          {t('checkpointRestore')}
        </Button>
      ) : null}
      <Button size="sm" disabled={busy} title={t('checkpointForkHint')} onClick={() => acts.onFork(id)}>
        <GitFork aria-hidden className="size-4" />
        {t('checkpointFork')}
      </Button>
    </>
  );
};

export const CheckpointRow = (props: CheckpointRowProps) => {
  const { sessionId, checkpoint, turns, name, isNow, side, now, acts, control } = props;
  const t = useText();
  const locale = useLocale();
  const { checkpoint_id: id, turn_id, created_at } = checkpoint;
  const usual = checkpointTitle(checkpoint, turns, t);
  const title = name ?? usual;
  const preview = turn_id === null ? '' : (turns.get(turn_id)?.preview ?? '');
  const when = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(created_at);
  return (
    <Row
      id={id}
      title={
        <label className="flex cursor-pointer items-center gap-2.5">
          <input
            type="checkbox"
            checked={side !== undefined}
            aria-label={t('checkpointCompareThis', { title })}
            onChange={() => acts.onCompare(id)}
            className="size-4 shrink-0 accent-(--color-accent)"
          />
          <span data-checkpoint-title>{title}</span>
        </label>
      }
      marks={
        <>
          {side === undefined ? null : <Badge tone="good">{side}</Badge>}
          {isNow ? <Badge>{t('checkpointNow')}</Badge> : null}
          {control ? (
            <IconButton label={t('checkpointName')} className="-my-1.5 size-8!" onClick={() => acts.onName(id)}>
              <Pencil aria-hidden className="size-3.5" />
            </IconButton>
          ) : null}
        </>
      }
      note={
        <span className="block pl-6.5">
          <span className="line-clamp-1">{[...(name === undefined ? [] : [usual]), ...(preview === '' ? [] : [preview])].join(' · ')}</span>
          <span title={when}>{formatAge(created_at, locale, now)}</span>
          {turn_id === null || !turns.has(turn_id) ? null : (
            <>
              {' · '}
              <PlaceLink to={pageAt('turn', { session: sessionId, turn: turn_id })} className="underline underline-offset-2 hover:text-ink">
                <ChartGantt aria-hidden className="mr-1 inline size-3.5 align-[-2px]" />
                {t('checkpointWaterfall')}
              </PlaceLink>
            </>
          )}
        </span>
      }
      actions={<Acts {...props} />}
    />
  );
};
