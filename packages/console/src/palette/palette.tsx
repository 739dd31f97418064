import { Search } from 'lucide-react';
import { Fragment, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useText } from '../i18n/use-text.ts';
import type { Place } from '../shell/address.ts';
import type { Reach } from '../shell/nav-pages.ts';
import { Dialog } from '../ui/dialog.tsx';
import { type Entry, entriesFor } from './entries.ts';
import { useEntries } from './use-entries.ts';

type PaletteProps = { readonly open: boolean; readonly onClose: () => void; readonly place: Place; readonly reach: Reach };

type OptionProps = { readonly entry: Entry; readonly id: string; readonly chosen: boolean; readonly onChoose: () => void; readonly onPoint: () => void };

const Option = ({ entry, id, chosen, onChoose, onPoint }: OptionProps) => {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (chosen) ref.current?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field above, which keeps the focus
    // biome-ignore lint/a11y/useFocusableInteractive: the same
    <div
      ref={ref}
      id={id}
      role="option"
      aria-selected={chosen}
      data-entry={entry.id}
      onClick={onChoose}
      onPointerMove={onPoint}
      className={`flex min-h-10 cursor-pointer scroll-my-2 items-center gap-3 rounded-xl px-3 py-1.5 text-sm ${chosen ? 'bg-accent-soft text-ink' : 'text-ink-soft'}`}
    >
      <span className="min-w-0 flex-1 truncate">{entry.text}</span>
      {/* The note of a page is its key. */}
      {entry.note === undefined ? null : (
        <span
          className={`max-w-[45%] shrink-0 truncate font-mono text-xs text-ink-faint ${entry.group === 'groupPages' ? '[@media(hover:none)]:hidden' : 'max-sm:max-w-[30%]'}`}
        >
          {entry.note}
        </span>
      )}
    </div>
  );
};

const Choices = ({ onClose, place, reach }: Omit<PaletteProps, 'open'>) => {
  const t = useText();
  const listId = useId();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const entries = entriesFor(useEntries(place, reach, typed), typed);
  const chosen = Math.min(at, entries.length - 1);
  const optionId = (n: number): string => `${listId}-${n}`;
  const run = (entry: Entry | undefined): void => {
    if (!entry) return;
    // First: what is done may want the focus.
    onClose();
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && entries.length > 0) setAt((chosen + step + entries.length) % entries.length);
    else if (event.key === 'Enter') run(entries[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div className="relative border-b border-line">
        <Search aria-hidden className="pointer-events-none absolute top-1/2 left-4 size-4 -translate-y-1/2 text-ink-faint" />
        <input
          // biome-ignore lint/a11y/noAutofocus: a palette is opened to be typed into
          autoFocus
          role="combobox"
          aria-expanded
          aria-controls={listId}
          aria-activedescendant={entries.length === 0 ? undefined : optionId(chosen)}
          aria-label={t('palette')}
          placeholder={t('paletteHint')}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
          className="h-13 w-full bg-transparent pr-4 pl-11 text-[15px] text-ellipsis outline-none placeholder:text-ink-faint max-sm:text-base"
        />
      </div>
      <div id={listId} role="listbox" aria-label={t('palette')} className="max-h-[min(26rem,60dvh)] overflow-y-auto p-1.5">
        {entries.map((entry, n) => (
          <Fragment key={entry.id}>
            {entry.group === entries[n - 1]?.group ? null : (
              <p role="presentation" className="px-3 pt-2.5 pb-1 text-xs font-medium text-ink-faint">
                {t(entry.group)}
              </p>
            )}
            <Option entry={entry} id={optionId(n)} chosen={n === chosen} onChoose={() => run(entry)} onPoint={() => setAt(n)} />
          </Fragment>
        ))}
      </div>
      {entries.length === 0 ? <p className="px-4 pb-5 text-sm text-ink-soft">{t('paletteNothing')}</p> : null}
    </>
  );
};

/** Everything that can be reached or done from here, by typing a part of its name. */
export const Palette = ({ open, ...rest }: PaletteProps) => {
  const t = useText();
  return (
    <Dialog
      open={open}
      onClose={rest.onClose}
      label={t('palette')}
      className="mt-[12dvh] mb-auto w-[min(38rem,calc(100vw-1.5rem))] overflow-hidden rounded-2xl border border-line p-0 max-sm:mt-3"
    >
      <Choices {...rest} />
    </Dialog>
  );
};
