import { asksPeople, type TimelineEntry, type TimelineTurn } from '@turnkeeper/client/view/timeline';
import type { ItemBlock } from '@turnkeeper/core/protocol/content';
import { textOf } from '@turnkeeper/core/protocol/text-of';
import type { TurnBody } from '@turnkeeper/core/view/turn';
import { memo, type ReactNode } from 'react';
import { ActionCard } from './action-card.tsx';
import { CallProgressLine } from './call-progress-line.tsx';
import { MarkdownView } from './markdown-view.tsx';
import { useChatText } from './text-context.ts';
import type { ChatText } from './texts.ts';

type UserBubbleProps = {
  readonly text: string;
  readonly files: number;
  /** A structured value, as it is shown. */
  readonly json?: string | undefined;
  readonly children?: ReactNode;
};

/** What of a message is a structured value; undefined where nothing is. */
const jsonOf = (content: readonly ItemBlock[]): string | undefined => {
  const values = content.flatMap((block) => (block.type === 'data' ? [JSON.stringify(block.data, null, 2)] : []));
  return values.length === 0 ? undefined : values.join('\n');
};

export const UserBubble = ({ text, files, json, children }: UserBubbleProps) => {
  const t = useChatText();
  return (
    <div className="tk-user" data-role="user">
      <span className="tk-hidden">{t('you')}</span>
      <div className="tk-bubble">
        {text}
        {json === undefined ? null : <code className="tk-json">{json}</code>}
        {files > 0 ? <small className="tk-files">{t('files', { count: files })}</small> : null}
      </div>
      {children}
    </div>
  );
};

const toolText = (entry: Extract<TimelineEntry, { kind: 'tool' }>, t: ChatText): string => {
  const name = entry.name;
  if (entry.abandoned) return `${name}: ${t('cutOff')}`;
  switch (entry.tool?.status) {
    case undefined:
    case 'requested':
    case 'running':
      return t('toolRunning', { name });
    case 'waiting':
      return t('toolWaiting', { name });
    case 'success':
      return t('toolDone', { name });
    default:
      return t('toolFailed', { name });
  }
};

type EntryProps = { readonly sessionId: string; readonly entry: TimelineEntry };

const EntryView = memo(
  ({ sessionId, entry }: EntryProps) => {
    const t = useChatText();
    switch (entry.kind) {
      case 'message': {
        const { role, content, status } = entry.item.item;
        const text = textOf(content);
        if (role === 'user')
          return <UserBubble text={text} files={content.filter(({ type }) => type !== 'text' && type !== 'data').length} json={jsonOf(content)} />;
        return (
          <div className="tk-answer" data-role="assistant">
            <span className="tk-hidden">{t('agent')}</span>
            <MarkdownView text={text} streaming={status === 'in_progress'} />
            {status === 'incomplete' ? <p className="tk-note">{t('cutOff')}</p> : null}
          </div>
        );
      }
      case 'tool':
        return entry.action ? (
          <ActionCard key={entry.action.request_id} sessionId={sessionId} action={entry.action} />
        ) : (
          <div className="tk-call">
            <p className="tk-tool" data-tool={entry.tool?.status ?? 'writing'}>
              {toolText(entry, t)}
            </p>
            {entry.progress ? <CallProgressLine name={entry.name} progress={entry.progress} /> : null}
          </div>
        );
      case 'action':
        return <ActionCard sessionId={sessionId} action={entry.action} />;
    }
  },
  ({ entry: a, sessionId: one }, { entry: b, sessionId: other }) => {
    if (one !== other || a.kind !== b.kind) return false;
    if (a.kind === 'message') return b.kind === 'message' && a.item === b.item;
    if (a.kind === 'action') return b.kind === 'action' && a.action === b.action;
    return b.kind === 'tool' && a.tool === b.tool && a.action === b.action && a.abandoned === b.abandoned && a.name === b.name;
  },
);

/** How it ended, where that is not what one hoped for. */
const EndLine = ({ turn }: { readonly turn: TurnBody }) => {
  const t = useChatText();
  switch (turn.status) {
    case 'failed':
      return <p className="tk-fault">{t('failed', { reason: turn.error_message || turn.error_code || '' })}</p>;
    case 'timed_out':
      return <p className="tk-fault">{t('timedOut')}</p>;
    case 'cancelled':
      return <p className="tk-note">{t('cancelled')}</p>;
    case 'interrupted':
      return <p className="tk-note">{t('interrupted')}</p>;
    case 'queued':
    case 'running':
    case 'requires_action':
    case 'completed':
    case 'partial_succeeded':
      return null;
  }
};

const isWriting = ({ entries }: TimelineTurn): boolean => entries.some((entry) => entry.kind === 'message' && entry.item.item.status === 'in_progress');

type TurnViewProps = {
  readonly sessionId: string;
  readonly part: TimelineTurn;
  /** It waits behind another one. */
  readonly waits: boolean;
  /** Takes it out of the queue; missing where the token may not. */
  readonly onTakeBack?: ((turnId: string) => void) | undefined;
};

/** Drawn anew only when something in it has changed: while an answer streams, that is one turn of many. */
export const TurnView = memo(({ sessionId, part, waits, onTakeBack }: TurnViewProps) => {
  const t = useChatText();
  const { turn, entries, turnId } = part;
  const begins = entries.some((entry) => entry.kind === 'message' && entry.item.item.role === 'user');
  const works = turn !== undefined && !waits && (turn.status === 'running' || turn.status === 'queued');
  return (
    <div className="tk-turn" data-turn={turnId} data-status={turn?.status}>
      {turn && !begins && turn.ended_at === undefined ? (
        <UserBubble text={turn.preview} files={0}>
          {waits ? (
            <p className="tk-aside">
              {t('queued')}
              {onTakeBack ? (
                <button type="button" className="tk-link" onClick={() => onTakeBack(turnId)}>
                  {t('unqueue')}
                </button>
              ) : null}
            </p>
          ) : null}
        </UserBubble>
      ) : null}
      {entries.map((entry) => (
        <EntryView key={entry.key} sessionId={sessionId} entry={entry} />
      ))}
      {works && !isWriting(part) && !asksPeople(entries) ? (
        <p className="tk-working">
          <i />
          <i />
          <i />
          <span className="tk-hidden">{t('working')}</span>
        </p>
      ) : null}
      {turn ? <EndLine turn={turn} /> : null}
    </div>
  );
});
