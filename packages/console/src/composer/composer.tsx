import { ArrowUp, Square } from 'lucide-react';
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react';
import { useText } from '../i18n/use-text.ts';
import { useStored } from '../preferences/use-stored.ts';
import type { Stop } from '../session/use-stop.ts';
import { draftOf } from './draft.ts';

type ComposerProps = {
  /** Where the draft belongs: a session's id, or `new`. */
  readonly place: string;
  readonly onSend: (text: string) => void;
  readonly stop?: Stop;
  readonly disabled?: boolean;
};

const round = 'grid size-9 shrink-0 place-items-center rounded-full transition-colors duration-150';

const StopButton = ({ stop }: { readonly stop: Stop }) => {
  const t = useText();
  if (stop.state === 'nothing_runs') return null;
  const stopping = stop.state === 'stopping';
  return (
    <button
      type="button"
      onClick={stop.stop}
      disabled={stopping}
      title={t('stopHint')}
      aria-label={stopping ? t('stopping') : t('stop')}
      className="inline-flex h-9 shrink-0 items-center gap-2 rounded-full border border-line px-3.5 text-[13px] font-medium text-ink-soft transition-colors duration-150 hover:border-line-strong hover:text-ink disabled:text-ink-faint"
    >
      <Square aria-hidden className={`size-3 fill-current ${stopping ? 'animate-breathe' : ''}`} />
      {stopping ? t('stopping') : t('stop')}
    </button>
  );
};

/** Enter sends, which queues while something runs; Shift+Enter makes a new line. An input method's Enter is its own. */
export const Composer = ({ place, onSend, stop, disabled = false }: ComposerProps) => {
  const t = useText();
  const draft = draftOf(place);
  const text = useStored(draft);
  const ref = useRef<HTMLTextAreaElement>(null);
  const ready = !disabled && text.trim() !== '';

  // Grows with its text, up to a third of the page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    const area = ref.current;
    if (!area) return;
    area.style.height = 'auto';
    area.style.height = `${area.scrollHeight}px`;
  }, [text]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once a place, as soon as there is something to write to
  useEffect(() => {
    // Not on phones, where it would open the keyboard.
    if (!disabled && matchMedia('(hover: hover)').matches) ref.current?.focus();
  }, [place, disabled]);

  const send = (): void => {
    if (!ready) return;
    onSend(text);
    draft.set('');
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    send();
  };
  return (
    <div className="rounded-3xl border border-line bg-surface p-2 shadow-soft transition-colors duration-150 focus-within:border-accent">
      <textarea
        id="message"
        ref={ref}
        rows={1}
        value={text}
        disabled={disabled}
        aria-label={t('message')}
        placeholder={t('messagePlaceholder')}
        onChange={(event) => draft.set(event.target.value)}
        onKeyDown={onKeyDown}
        className="block max-h-[34dvh] w-full resize-none bg-transparent px-3 pt-2 pb-1 leading-relaxed outline-none placeholder:text-ink-faint max-sm:text-base"
      />
      <div className="flex items-center gap-2 pl-3">
        <p className="min-w-0 flex-1 truncate text-xs text-ink-faint max-sm:invisible">
          {stop && stop.state !== 'nothing_runs' && ready ? t('sendQueues') : t('keysHint')}
        </p>
        {stop ? <StopButton stop={stop} /> : null}
        <button
          type="button"
          onClick={send}
          disabled={!ready}
          aria-label={t('send')}
          title={t('send')}
          className={`${round} bg-accent text-on-accent hover:bg-accent-strong disabled:bg-line disabled:text-ink-faint`}
        >
          <ArrowUp aria-hidden className="size-4.5" />
        </button>
      </div>
    </div>
  );
};
