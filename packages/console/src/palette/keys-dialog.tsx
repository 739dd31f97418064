import { useState } from 'react';
import { useText } from '../i18n/use-text.ts';
import { paletteKeys } from '../shell/use-palette.ts';
import { Dialog } from '../ui/dialog.tsx';
import { type ListedKey, listedKeys } from '../ui/key-registry.ts';

const cap = 'rounded-md border border-line-strong bg-sunken px-1.5 font-mono text-xs leading-5 text-ink-soft';

type Line = { readonly text: string; readonly keys: readonly string[] };

/** What several keys do stands once. */
const linesOf = (keys: readonly ListedKey[]): readonly Line[] =>
  [...Map.groupBy(keys, ({ text }) => text)].map(([text, same]) => ({ text, keys: same.map(({ keys: name }) => name) }));

const Caps = ({ name }: { readonly name: string }) => (
  <span data-key={name} className="flex gap-0.5">
    {name.split(' ').map((part) => (
      <kbd key={part} className={cap}>
        {part}
      </kbd>
    ))}
  </span>
);

const Lines = ({ title, keys }: { readonly title: string; readonly keys: readonly ListedKey[] }) => {
  if (keys.length === 0) return null;
  return (
    <section className="flex flex-col gap-1">
      <h3 className="px-2 text-xs font-medium text-ink-faint">{title}</h3>
      <dl className="grid gap-x-6 sm:grid-cols-2">
        {linesOf(keys).map((line) => (
          <div key={line.text} className="flex items-baseline justify-between gap-4 rounded-lg px-2 py-1.5 text-sm">
            <dt className="min-w-0 text-ink-soft">{line.text}</dt>
            <dd className="flex shrink-0 gap-2">
              {line.keys.map((name) => (
                <Caps key={name} name={name} />
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
};

const isEverywhere = ({ keys }: ListedKey): boolean => keys === '?' || keys === paletteKeys || keys.startsWith('G ');

const List = () => {
  const t = useText();
  // As they are when the list opens: it works on nothing itself.
  const [keys] = useState(listedKeys);
  return (
    <div className="flex flex-col gap-4">
      <h2 className="px-2 text-lg font-semibold">{t('keyboardTitle')}</h2>
      <Lines title={t('keysHere')} keys={keys.filter((key) => !isEverywhere(key))} />
      <Lines title={t('keysEverywhere')} keys={keys.filter(isEverywhere)} />
    </div>
  );
};

/** All keys that work on the page that is shown. */
export const KeysDialog = ({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) => {
  const t = useText();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      label={t('keyboardTitle')}
      className="max-h-[80dvh] w-[min(44rem,calc(100vw-1.5rem))] overflow-y-auto rounded-2xl border border-line p-4 sm:p-5"
    >
      <List />
    </Dialog>
  );
};
