import { looksLikeInput, type Written, writtenIn } from '@turnkeeper/react/json-input';
import type { Sent } from '@turnkeeper/react/outbox';
import type { TurnStop } from '@turnkeeper/react/use-stopping';
import { ArrowUp, Paperclip, Pause, Square } from 'lucide-react';
import { type ClipboardEvent, type DragEvent, type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import type { TargetCan } from '../auth/target-can.ts';
import { useText } from '../i18n/use-text.ts';
import { useStored } from '../preferences/use-stored.ts';
import type { TurnPause } from '../session/use-pause.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { useListedKeys } from '../ui/use-keys.ts';
import { AttachmentList } from './attachment-list.tsx';
import type { Upload } from './attachments.ts';
import { draftOf } from './draft.ts';
import { type JsonFault, JsonFaultNote } from './json-fault-note.tsx';
import { type Attached, useAttached } from './use-attached.ts';

type ComposerProps = {
  /** Where the draft belongs: a session's id, or `new`. */
  readonly place: string;
  /** Missing where the session is still to be made: files wait until it is. */
  readonly upload?: Upload;
  readonly onSend: (sent: Sent) => void;
  readonly stop?: TurnStop;
  readonly pause?: TurnPause;
  /** What cannot be done here is not offered; without it everything can. */
  readonly can?: Omit<TargetCan, 'fork' | 'pause'>;
  readonly disabled?: boolean;
  /** Whether it takes the focus as soon as it is there. */
  readonly focuses?: boolean;
};

const all = { steer: true, files: true, json: false } as const;
const round = 'grid size-9 shrink-0 place-items-center rounded-full transition-colors duration-150';

const haltClass =
  'inline-flex h-9 shrink-0 items-center gap-2 rounded-full border border-line px-3.5 text-[13px] font-medium text-ink-soft transition-colors duration-150 hover:border-line-strong hover:text-ink disabled:text-ink-faint';

const PauseButton = ({ pause: { state, pause } }: { readonly pause: TurnPause }) => {
  const t = useText();
  if (state === 'cannot') return null;
  const pausing = state === 'pausing';
  return (
    <button type="button" onClick={pause} disabled={pausing} title={t('pauseHint')} className={haltClass}>
      <Pause aria-hidden className={`size-3 fill-current ${pausing ? 'animate-breathe' : ''}`} />
      {t(pausing ? 'pausing' : 'pause')}
    </button>
  );
};

const StopButton = ({ stop }: { readonly stop: TurnStop }) => {
  const t = useText();
  if (stop.state === 'nothing_runs') return null;
  const stopping = stop.state === 'stopping';
  return (
    <button type="button" onClick={stop.stop} disabled={stopping} title={t('stopHint')} aria-label={stopping ? t('stopping') : t('stop')} className={haltClass}>
      <Square aria-hidden className={`size-3 fill-current ${stopping ? 'animate-breathe' : ''}`} />
      {stopping ? t('stopping') : t('stop')}
    </button>
  );
};

const AttachButton = ({ attached }: { readonly attached: Attached }) => {
  const t = useText();
  const ref = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={ref}
        type="file"
        multiple
        tabIndex={-1}
        aria-label={t('attach')}
        className="sr-only"
        onChange={(event) => {
          attached.add([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
      <IconButton label={t('attach')} className="rounded-full!" onClick={() => ref.current?.click()}>
        <Paperclip aria-hidden className="size-4.5" />
      </IconButton>
    </>
  );
};

/** Files that are dropped on it, or pasted into it. */
const useDropped = (attached: Attached, takesFiles: boolean) => {
  const [over, setOver] = useState(false);
  const holdsFiles = (event: DragEvent): boolean => takesFiles && event.dataTransfer.types.includes('Files');
  return {
    over,
    onDragOver: (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      setOver(false);
      if (!holdsFiles(event)) return;
      event.preventDefault();
      attached.add([...event.dataTransfer.files]);
    },
    onPaste: (event: ClipboardEvent) => {
      const files = [...event.clipboardData.files];
      if (!takesFiles || files.length === 0) return;
      event.preventDefault();
      attached.add(files);
    },
  };
};

/** The text as it is written; what is sent is taken out of it. What begins as JSON and is none is not sent before somebody says so. */
const useWriting = ({ place, onSend, can = all, disabled = false }: ComposerProps, attached: Attached) => {
  const draft = draftOf(place);
  const text = useStored(draft);
  const [refused, setRefused] = useState<JsonFault & { readonly text: string }>();
  const ready = !disabled && !attached.busy && (text.trim() !== '' || attached.count > 0);
  return {
    text,
    ready,
    write: draft.set,
    // Of another text it says nothing.
    fault: refused?.text === text ? refused : undefined,
    send: (steers: boolean, asMessage = false) => {
      if (!ready) return;
      const written: Written = can.json && !steers && !asMessage && attached.count === 0 ? writtenIn(text) : { kind: 'message' };
      if (written.kind === 'fault') {
        setRefused({ ...written, text });
        return;
      }
      onSend({ text, files: attached.take(), steers });
      draft.set('');
    },
  };
};

/** Grows with its text, up to a third of the page; has the focus as soon as there is something to write to. */
const useArea = ({ place, disabled = false, focuses = true }: ComposerProps, text: string) => {
  const ref = useRef<HTMLTextAreaElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    const area = ref.current;
    if (!area) return;
    area.style.height = 'auto';
    area.style.height = `${area.scrollHeight}px`;
  }, [text]);
  // With what is drawn and not a moment later: by then somebody may have gone on to something else on the page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once a place
  useLayoutEffect(() => {
    // Not on phones, where it would open the keyboard; and not out of a menu that somebody has opened, which would close with that.
    if (focuses && !disabled && matchMedia('(hover: hover)').matches && !document.querySelector('[role=menu]')) ref.current?.focus();
  }, [place, disabled]);
  return ref;
};

/**
 * Enter sends, which queues while something runs; Ctrl+Enter says it to the turn that runs; Shift+Enter makes a new line.
 * An input method's Enter is its own.
 */
export const Composer = (props: ComposerProps) => {
  const { place, upload, stop, pause, can = all, disabled = false } = props;
  const t = useText();
  const attached = useAttached(place, upload);
  const { text, ready, fault, write, send } = useWriting(props, attached);
  const dropped = useDropped(attached, can.files);
  const ref = useArea(props, text);
  const runs = stop !== undefined && stop.state !== 'nothing_runs';
  useListedKeys([{ keys: 'Esc', text: t('stop') }], runs);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    send(runs && can.steer && (event.ctrlKey || event.metaKey));
  };
  return (
    <fieldset
      onDragOver={dropped.onDragOver}
      onDragLeave={dropped.onDragLeave}
      onDrop={dropped.onDrop}
      className={`relative min-w-0 rounded-3xl border bg-surface p-2 shadow-soft transition-[border-color,box-shadow,background-color] duration-150 focus-within:border-accent focus-within:ring-3 focus-within:ring-accent/20 ${dropped.over ? 'border-accent bg-accent-soft' : 'border-line'}`}
    >
      <AttachmentList attached={attached} />
      <textarea
        id="message"
        ref={ref}
        rows={1}
        value={text}
        disabled={disabled}
        aria-label={t('message')}
        aria-invalid={fault !== undefined}
        placeholder={dropped.over ? t('dropHere') : t('messagePlaceholder')}
        onChange={(event) => write(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={dropped.onPaste}
        className={`block max-h-[34dvh] w-full resize-none bg-transparent px-3 pt-2 pb-1 leading-relaxed outline-none placeholder:text-ink-faint max-sm:text-base ${can.json && looksLikeInput(text) ? 'font-mono text-sm' : ''}`}
      />
      {fault ? <JsonFaultNote fault={fault} onSendAnyway={() => send(false, true)} /> : null}
      <div className="flex items-center gap-2 pl-1">
        {can.files ? <AttachButton attached={attached} /> : null}
        <p className={`min-w-0 flex-1 truncate text-xs text-ink-faint max-sm:invisible [@media(hover:none)]:invisible ${can.files ? '' : 'pl-2'}`}>
          {runs ? (can.steer ? t('steerHint') : t('queueHint')) : t('keysHint')}
        </p>
        {pause ? <PauseButton pause={pause} /> : null}
        {stop ? <StopButton stop={stop} /> : null}
        <button
          type="button"
          onClick={() => send(false)}
          disabled={!ready}
          aria-label={t('send')}
          title={t('send')}
          className={`${round} bg-accent text-on-accent hover:bg-accent-strong disabled:bg-line disabled:text-ink-faint`}
        >
          <ArrowUp aria-hidden className="size-4.5" />
        </button>
      </div>
    </fieldset>
  );
};
