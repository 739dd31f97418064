import type { Client } from '@turnkeeper/client/create-client';
import { freshKey } from '@turnkeeper/client/fresh-key';
import type { Envelope } from '@turnkeeper/core/protocol/envelope';
import type { CheckpointResource } from '@turnkeeper/core/protocol/wire/context';
import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import { useCallback, useMemo, useState } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import { go, pageAt } from '../shell/address.ts';
import { Field, TextArea } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { useAct } from '../ui/use-act.ts';
import { useLoaded } from '../ui/use-loaded.ts';
import { checkpointBefore, editedInput, hasFiles, messagesOf, textOfMessages } from './replay.ts';

const pageSize = 200;

type Beginning = { readonly checkpoint: CheckpointResource | undefined };

/** Page by page, the newest first, until the one from before the turn is among them. */
const findBeginning = async (client: Client, sessionId: string, turn: { readonly turnId: string; readonly startedAt: number }): Promise<Beginning> => {
  const read: CheckpointResource[] = [];
  for (let after: string | undefined; ; ) {
    const page = await client.context.checkpoints(sessionId, { limit: pageSize, ...(after === undefined ? {} : { after }) });
    read.push(...page.data);
    const checkpoint = checkpointBefore(read, turn);
    if (checkpoint || page.next_cursor === null) return { checkpoint };
    after = page.next_cursor;
  }
};

type ReplayDialogProps = {
  readonly session: SessionResource;
  readonly turnId: string;
  readonly events: readonly Envelope[];
  readonly startedAt: number;
  readonly onClose: () => void;
};

/** A turn once more, in a session of its own, with other words. The keys are those of this dialog: sent twice is done once. */
const useReplay = ({ session, turnId }: Pick<ReplayDialogProps, 'session' | 'turnId'>) => {
  const client = useClient();
  const t = useText();
  const [keys] = useState(() => ({ fork: freshKey('replay'), turn: freshKey('replay-turn') }));
  const title = t('turnReplayTitle', { title: session.title || t('untitled') });
  return async ({ checkpoint }: Beginning, input: ReturnType<typeof editedInput>): Promise<void> => {
    const metadata = { replay_of: { session_id: session.id, turn_id: turnId } };
    const { type, id, version } = session.target;
    const made = checkpoint
      ? await client.context.fork(session.id, { checkpoint_id: checkpoint.checkpoint_id, title, metadata, reason: 'replay' }, { idempotencyKey: keys.fork })
      : await client.sessions.create({ target: { type, id, ...(version === undefined ? {} : { version }) }, title, metadata }, { idempotencyKey: keys.fork });
    const turn = await client.turns.submit(made.id, { input: [...input] }, { idempotencyKey: keys.turn });
    go(pageAt('turn', { session: made.id, turn: turn.id }));
  };
};

export const ReplayDialog = ({ session, turnId, events, startedAt, onClose }: ReplayDialogProps) => {
  const t = useText();
  const client = useClient();
  const messages = useMemo(() => messagesOf(events), [events]);
  const [text, setText] = useState(() => textOfMessages(messages));
  const beginning = useLoaded(useCallback(() => findBeginning(client, session.id, { turnId, startedAt }), [client, session.id, turnId, startedAt]));
  const { busy, fault, act } = useAct();
  const replay = useReplay({ session, turnId });
  const found = beginning.data;
  const input = editedInput(messages, text);
  const isEmpty = input[0]?.content.length === 0;
  const send = async (): Promise<void> => {
    if (found && (await act(() => replay(found, input)))) onClose();
  };
  return (
    <FormDialog
      title={t('turnReplay')}
      submit={t('turnReplayDo')}
      busy={busy}
      incomplete={isEmpty || found === undefined}
      fault={fault}
      onSubmit={() => void send()}
      onClose={onClose}
      wide
    >
      <p className="text-sm text-ink-soft">{t(found && !found.checkpoint ? 'turnReplayFirst' : 'turnReplayText')}</p>
      <Field label={t('turnReplayMessage')} {...(hasFiles(messages) ? { hint: t('turnReplayFiles') } : {})}>
        {(id) => <TextArea id={id} rows={8} value={text} autoFocus onChange={({ target }) => setText(target.value)} className="max-h-[50dvh]" />}
      </Field>
      <LoadState loaded={beginning} />
    </FormDialog>
  );
};
