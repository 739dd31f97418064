import type { Json } from '@turnkeeper/core/protocol/json';
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { AttachIcon, CloseIcon, SendIcon, StopIcon } from './icons.tsx';
import { looksLikeInput, type Written, writtenIn } from './json-input.ts';
import { keep, readKept } from './kept.ts';
import type { SentFile } from './outbox.ts';
import { useChatText } from './text-context.ts';
import type { Stopping } from './use-stop.ts';
import { type Uploads, useUploads } from './use-uploads.ts';

type ComposerProps = {
  readonly sessionId: string;
  readonly placeholder?: string | undefined;
  readonly stopping: Stopping;
  /** A JSON object is an input of its own, and what only begins as one is not sent before somebody says so. */
  readonly takesJson: boolean;
  /** Says so below the field. */
  readonly saysJson: boolean;
  readonly takesFiles: boolean;
  /** Another object each time that something is to be written again. */
  readonly again: Again | undefined;
  readonly onSend: (text: string, files: readonly SentFile[], input?: Json) => void;
};
export type Again = { readonly text: string };

const UploadList = ({ uploads }: { readonly uploads: Uploads }) => {
  const t = useChatText();
  if (uploads.list.length === 0) return null;
  return (
    <ul className="tk-uploads">
      {uploads.list.map(({ key, name, fileId, fault }) => (
        <li key={key} data-upload={fault === undefined ? (fileId === undefined ? 'uploading' : 'ready') : 'failed'}>
          <span>{fault === undefined ? (fileId === undefined ? t('uploading', { name }) : name) : t('uploadFailed', { name, reason: fault })}</span>
          <button type="button" className="tk-small" aria-label={t('remove', { name })} onClick={() => uploads.remove(key)}>
            <CloseIcon />
          </button>
        </li>
      ))}
    </ul>
  );
};

const AttachButton = ({ uploads }: { readonly uploads: Uploads }) => {
  const t = useChatText();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        tabIndex={-1}
        className="tk-hidden"
        aria-label={t('attach')}
        onChange={(event) => {
          uploads.add([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
      <button type="button" className="tk-round" aria-label={t('attach')} title={t('attach')} onClick={() => input.current?.click()}>
        <AttachIcon />
      </button>
    </>
  );
};

const StopButton = ({ stopping }: { readonly stopping: Stopping }) => {
  const t = useChatText();
  if (stopping.state === 'nothing_runs' || stopping.state === 'not_allowed') return null;
  return (
    <button type="button" className="tk-button tk-stop" disabled={stopping.state === 'stopping'} onClick={stopping.stop}>
      <StopIcon />
      {t(stopping.state === 'stopping' ? 'stopping' : 'stop')}
    </button>
  );
};

/** What is written survives a reload of the tab. */
const useDraft = (sessionId: string) => {
  const name = `turnkeeper.draft.${sessionId}`;
  const [text, setText] = useState(() => readKept(name) ?? '');
  const write = (next: string): void => {
    setText(next);
    keep(name, next === '' ? undefined : next);
  };
  return [text, write] as const;
};

type Fault = Extract<Written, { kind: 'fault' }> & { readonly text: string };

const FaultNote = ({ fault: { line, column }, onSendAnyway }: { readonly fault: Fault; readonly onSendAnyway: () => void }) => {
  const t = useChatText();
  return (
    <p className="tk-aside tk-fault tk-json-fault" role="alert">
      {t('notJson', { line, column })}
      <button type="button" className="tk-link" onClick={onSendAnyway}>
        {t('sendAsMessage')}
      </button>
    </p>
  );
};

/** The text and the files as they are written; what is sent is taken out of them. */
const useWriting = ({ sessionId, takesJson, again, onSend }: ComposerProps) => {
  const [text, write] = useDraft(sessionId);
  const uploads = useUploads(sessionId);
  const [refused, setRefused] = useState<Fault>();
  const area = useRef<HTMLTextAreaElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once each time that something is to be written again
  useEffect(() => {
    if (!again) return;
    write(again.text);
    area.current?.focus();
  }, [again]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    if (!area.current) return;
    area.current.style.height = 'auto';
    area.current.style.height = `${area.current.scrollHeight}px`;
  }, [text]);
  const ready = !uploads.busy && (text.trim() !== '' || uploads.list.length > 0);
  const send = (asMessage = false): void => {
    if (!ready) return;
    const written: Written = takesJson && !asMessage && uploads.list.length === 0 ? writtenIn(text) : { kind: 'message' };
    if (written.kind === 'fault') {
      setRefused({ ...written, text });
      return;
    }
    onSend(text, uploads.take(), written.kind === 'input' ? written.value : undefined);
    write('');
    area.current?.focus();
  };
  // Of another text it says nothing.
  return { text, write, uploads, area, ready, send, fault: refused?.text === text ? refused : undefined };
};

/** Enter sends, also with Ctrl or Cmd, which queues while something runs; Shift+Enter makes a new line. An input method's Enter is its own. */
export const Composer = (props: ComposerProps) => {
  const { placeholder, stopping, takesJson, takesFiles } = props;
  const saysJson = takesJson && props.saysJson;
  const t = useChatText();
  const { text, write, uploads, area, ready, send, fault } = useWriting(props);
  const hintId = useId();
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    send();
  };
  return (
    <div className="tk-composer">
      <UploadList uploads={uploads} />
      <textarea
        ref={area}
        rows={1}
        value={text}
        className={takesJson && looksLikeInput(text) ? 'tk-json' : undefined}
        aria-label={t('message')}
        aria-invalid={fault !== undefined}
        aria-describedby={saysJson ? hintId : undefined}
        placeholder={placeholder ?? t('placeholder')}
        onChange={(event) => write(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={(event) => {
          const files = [...event.clipboardData.files];
          if (!takesFiles || files.length === 0) return;
          event.preventDefault();
          uploads.add(files);
        }}
      />
      {fault ? <FaultNote fault={fault} onSendAnyway={() => send(true)} /> : null}
      <div className="tk-tools">
        {takesFiles ? <AttachButton uploads={uploads} /> : null}
        <span className="tk-gap">
          {saysJson ? (
            <small id={hintId} className="tk-hint">
              {t('jsonHint')}
            </small>
          ) : null}
        </span>
        <StopButton stopping={stopping} />
        <button type="button" className="tk-round tk-primary" aria-label={t('send')} title={t('send')} disabled={!ready} onClick={() => send()}>
          <SendIcon />
        </button>
      </div>
    </div>
  );
};
