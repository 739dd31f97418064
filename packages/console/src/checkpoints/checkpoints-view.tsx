import { freshKey } from '@turnkeeper/client/fresh-key';
import type { CheckpointResource } from '@turnkeeper/core/protocol/wire/context';
import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import type { TurnBody } from '@turnkeeper/core/view/turn';
import { useMemo, useState } from 'react';
import { accessIn } from '../auth/access.ts';
import { useClient } from '../auth/signed-in-context.ts';
import { useAccess } from '../directory/directory-context.ts';
import { useText } from '../i18n/use-text.ts';
import { go, pageAt } from '../shell/address.ts';
import type { Query } from '../shell/query.ts';
import { Notice } from '../ui/notice.tsx';
import { Panel } from '../ui/panel.tsx';
import { NothingYet, Rows } from '../ui/rows.tsx';
import { useNow } from '../ui/use-now.ts';
import { Branches } from './branches.tsx';
import { CheckpointRow } from './checkpoint-row.tsx';
import { checkpointTitle, type Turns } from './checkpoint-texts.ts';
import { type Compared, CompareView } from './compare-view.tsx';
import { FaultNotice } from './fault-notice.tsx';
import { parseRef } from './lineage.ts';
import { NameDialog } from './name-dialog.tsx';
import { namesIn } from './names.ts';
import { RestoreDialog } from './restore-dialog.tsx';

export type SessionCheckpoints = {
  readonly session: SessionResource;
  /** Newest first. */
  readonly checkpoints: readonly CheckpointResource[];
  readonly turns: readonly TurnBody[];
};

type CheckpointsViewProps = SessionCheckpoints & { readonly query: Query; readonly onChanged: () => void };

/** The one that is chosen becomes a side; the second time it is none any more. Of three the one before the last gives way. */
const toggled = ({ a = '', b = '' }: Query, id: string): { readonly a: string; readonly b: string } => {
  if (id === a) return { a: b, b: '' };
  if (id === b) return { a, b: '' };
  return a === '' ? { a: id, b: '' } : { a, b: id };
};

const useFork = (session: SessionResource) => {
  const { context } = useClient();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const fork = async (checkpointId: string): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      const made = await context.fork(session.id, { checkpoint_id: checkpointId }, { idempotencyKey: freshKey('fork') });
      go({ kind: 'session', id: made.id });
    } catch (refused) {
      setError(refused);
    } finally {
      setBusy(false);
    }
  };
  return { busy, error, fork };
};

type Dialog = { readonly kind: 'restore' | 'name'; readonly id: string };

export const CheckpointsView = ({ session, checkpoints, turns, query, onChanged }: CheckpointsViewProps) => {
  const t = useText();
  const now = useNow(30_000);
  const { control } = accessIn(session, useAccess(session.owner.type === 'application')(session.owner));
  const [dialog, setDialog] = useState<Dialog>();
  const [restored, setRestored] = useState(false);
  const { busy, error, fork } = useFork(session);
  const byId: Turns = useMemo(() => new Map(turns.map((turn) => [turn.turn_id, turn])), [turns]);
  const names = namesIn(session.metadata);
  const show = (changes: Query): void => go(pageAt('checkpoints', { ...query, ...changes }), { replace: true });
  const titleOf = (id: string): string | undefined => {
    const found = checkpoints.find(({ checkpoint_id }) => checkpoint_id === id);
    return found && (names[id] ?? checkpointTitle(found, byId, t));
  };
  const side = (text: string | undefined): Compared | undefined => {
    const ref = parseRef(text, session.id);
    return ref && { ...ref, title: ref.sessionId === session.id && ref.at !== undefined ? titleOf(ref.at) : undefined };
  };
  const [a, b] = [side(query['a']), side(query['b'])];
  const acts = {
    onCompare: (id: string) => show(toggled(query, id)),
    onRestore: (id: string) => setDialog({ kind: 'restore', id }),
    onFork: (id: string) => void fork(id),
    onName: (id: string) => setDialog({ kind: 'name', id }),
  };
  const close = (): void => setDialog(undefined);
  return (
    <>
      {a && b ? <CompareView a={a} b={b} onSwap={() => show({ a: query['b'] ?? '', b: query['a'] ?? '' })} onClose={() => show({ a: '', b: '' })} /> : null}
      {error === undefined ? null : <FaultNotice sessionId={session.id} error={error} />}
      {restored ? <Notice>{t('checkpointRestoreDone')}</Notice> : null}
      <Panel title={t('checkpointsOf')} hint={checkpoints.length > 1 ? `${t('checkpointsHint')} ${t('checkpointCompareHint')}` : t('checkpointsHint')}>
        {checkpoints.length === 0 ? (
          <NothingYet>{t('checkpointsNone')}</NothingYet>
        ) : (
          <Rows label={t('checkpointsOf')}>
            {checkpoints.map((checkpoint, at) => (
              <CheckpointRow
                key={checkpoint.checkpoint_id}
                sessionId={session.id}
                checkpoint={checkpoint}
                turns={byId}
                name={names[checkpoint.checkpoint_id]}
                isNow={at === 0}
                side={checkpoint.checkpoint_id === query['a'] ? 'A' : checkpoint.checkpoint_id === query['b'] ? 'B' : undefined}
                now={now}
                acts={acts}
                busy={busy}
                control={control}
                canRestore={session.rootId === undefined}
              />
            ))}
          </Rows>
        )}
      </Panel>
      <Branches session={session} now={now} onCompare={(id) => show({ a: session.id, b: id })} />
      {dialog?.kind === 'restore' ? (
        <RestoreDialog
          sessionId={session.id}
          checkpointId={dialog.id}
          title={titleOf(dialog.id) ?? ''}
          onDone={() => {
            setRestored(true);
            onChanged();
          }}
          onClose={close}
        />
      ) : null}
      {dialog?.kind === 'name' ? (
        <NameDialog sessionId={session.id} checkpointId={dialog.id} name={names[dialog.id] ?? ''} onDone={onChanged} onClose={close} />
      ) : null}
    </>
  );
};
