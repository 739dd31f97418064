import { ArrowLeftRight, Bot, ChevronRight, UserRound, Wrench, X } from 'lucide-react';
import { type ReactNode, useCallback, useMemo } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import { PlaceLink } from '../shell/place-link.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { Notice } from '../ui/notice.tsx';
import { Panel } from '../ui/panel.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import { akinEntry, type BranchEntry, readBranch, sameEntry } from './branch.ts';
import { type DiffRow, diffOf, type Word, wordDiff } from './diff.ts';
import type { BranchRef } from './lineage.ts';

const icons = { user: UserRound, assistant: Bot, tool: Wrench } as const;
const roles = { user: 'turnRoleUser', assistant: 'turnRoleAssistant', tool: 'turnRoleTool' } as const;

type Side = 'left' | 'right';
const tones = {
  same: 'border-line bg-surface',
  left: 'border-danger/40 bg-danger-soft',
  right: 'border-accent/40 bg-accent-soft',
} as const;
const markTones = { left: 'bg-danger/20', right: 'bg-accent/25' } as const;

/** More of it would make the page heavy for little. */
const mostCharacters = 8_000;
const cut = (text: string): string => (text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text);

const Words = ({ words, side }: { readonly words: readonly Word[]; readonly side: Side }) =>
  words.map(({ text, changed }, at) =>
    changed ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the words of a text never change their order
      <mark key={at} className={`rounded-xs text-inherit ${markTones[side]}`}>
        {text}
      </mark>
    ) : (
      text
    ),
  );

const Entry = ({ entry, tone, children }: { readonly entry: BranchEntry; readonly tone: keyof typeof tones; readonly children?: ReactNode }) => {
  const t = useText();
  const Icon = icons[entry.role];
  return (
    <div className={`min-w-0 rounded-xl border px-3.5 py-2.5 ${tones[tone]}`}>
      <p className="mb-1 flex items-center gap-1.5 text-xs text-ink-soft">
        <Icon aria-hidden className="size-3.5" />
        {entry.role === 'tool' ? <code className="font-mono">{entry.name}</code> : t(roles[entry.role])}
      </p>
      <div className={`whitespace-pre-wrap [overflow-wrap:anywhere] ${entry.role === 'tool' ? 'font-mono text-[12.5px]' : 'text-sm'}`}>
        {children ?? cut(entry.text)}
      </div>
    </div>
  );
};

const Nothing = () => {
  const t = useText();
  return <p className="rounded-xl border border-dashed border-line px-3.5 py-2.5 text-[13px] text-ink-faint max-md:hidden">{t('compareNothingHere')}</p>;
};

const Changed = ({ left, right }: { readonly left: BranchEntry; readonly right: BranchEntry }) => {
  const words = useMemo(() => wordDiff(cut(left.text), cut(right.text)), [left, right]);
  return (
    <>
      <Entry entry={left} tone="left">
        <Words words={words.left} side="left" />
      </Entry>
      <Entry entry={right} tone="right">
        <Words words={words.right} side="right" />
      </Entry>
    </>
  );
};

const Pair = ({ row }: { readonly row: DiffRow<BranchEntry> }) => {
  switch (row.kind) {
    case 'same':
      return (
        <>
          <Entry entry={row.left} tone="same" />
          <div className="min-w-0 max-md:hidden">
            <Entry entry={row.right} tone="same" />
          </div>
        </>
      );
    case 'changed':
      return <Changed left={row.left} right={row.right} />;
    case 'left':
      return (
        <>
          <Entry entry={row.left} tone="left" />
          <Nothing />
        </>
      );
    case 'right':
      return (
        <>
          <Nothing />
          <Entry entry={row.right} tone="right" />
        </>
      );
  }
};

const kindTexts = { changed: 'compareChanged', left: 'compareOnlyHere', right: 'compareOnlyHere' } as const;

const DiffRows = ({ rows }: { readonly rows: readonly DiffRow<BranchEntry>[] }) => {
  const t = useText();
  return (
    <ul className="flex flex-col gap-2">
      {rows.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name than their place
        <li key={at} data-diff={row.kind} className="grid gap-2 md:grid-cols-2">
          {row.kind === 'same' ? null : <span className="sr-only">{t(kindTexts[row.kind])}:</span>}
          <Pair row={row} />
        </li>
      ))}
    </ul>
  );
};

const Same = ({ entries }: { readonly entries: readonly BranchEntry[] }) => {
  const t = useText();
  return (
    <details data-same={entries.length} className="group">
      <summary
        title={t('compareShowSame')}
        className="flex items-center gap-2 rounded-xl border border-dashed border-line px-3.5 py-2 text-[13px] text-ink-soft select-none hover:bg-sunken [&::-webkit-details-marker]:hidden"
      >
        <ChevronRight aria-hidden className="size-4 shrink-0 text-ink-faint transition-transform duration-150 group-open:rotate-90" />
        {t('compareSame', { count: entries.length })}
      </summary>
      <div className="mt-2 flex flex-col gap-2">
        {entries.map((entry) => (
          <Entry key={`${entry.sessionId}/${entry.key}`} entry={entry} tone="same" />
        ))}
      </div>
    </details>
  );
};

/** A side of the comparison: where it is, and what it is called. */
export type Compared = BranchRef & { readonly title: string | undefined };

const SideHead = ({ letter, side, title }: { readonly letter: string; readonly side: Compared; readonly title: string }) => (
  <p className="flex min-w-0 items-center gap-2 text-[13px] text-ink-soft">
    <Badge tone="good">{letter}</Badge>
    <PlaceLink to={{ kind: 'session', id: side.sessionId }} className="truncate underline underline-offset-2 hover:text-ink">
      {title}
    </PlaceLink>
  </p>
);

type CompareViewProps = { readonly a: Compared; readonly b: Compared; readonly onSwap: () => void; readonly onClose: () => void };

/** What was said on the way to two places, beside each other; what both begin with is folded. */
export const CompareView = ({ a, b, onSwap, onClose }: CompareViewProps) => {
  const t = useText();
  const client = useClient();
  const read = useCallback(
    () => Promise.all([readBranch(client, { sessionId: a.sessionId, at: a.at }), readBranch(client, { sessionId: b.sessionId, at: b.at })]),
    [client, a.sessionId, a.at, b.sessionId, b.at],
  );
  const loaded = useLoaded(read);
  const diff = useMemo(() => loaded.data && diffOf(loaded.data[0].entries, loaded.data[1].entries, sameEntry, akinEntry), [loaded.data]);
  const titleOf = (side: Compared, at: 0 | 1): string => {
    if (!loaded.data) return side.title ?? '…';
    const session = loaded.data[at].session.title || t('untitled');
    return side.title ?? (side.at === undefined ? `${session} · ${t('compareNow')}` : session);
  };
  const buttons = (
    <span className="flex gap-1">
      <Button size="sm" variant="quiet" onClick={onSwap}>
        <ArrowLeftRight aria-hidden className="size-4" />
        {t('compareSwap')}
      </Button>
      <Button size="sm" variant="quiet" onClick={onClose}>
        <X aria-hidden className="size-4" />
        {t('compareClose')}
      </Button>
    </span>
  );
  return (
    <Panel title={t('compareTitle')} action={buttons}>
      <div className="grid gap-2 md:grid-cols-2">
        <SideHead letter="A" side={a} title={titleOf(a, 0)} />
        <SideHead letter="B" side={b} title={titleOf(b, 1)} />
      </div>
      <LoadState loaded={loaded} />
      {loaded.data?.some(({ incomplete }) => incomplete) ? <Notice>{t('compareIncomplete')}</Notice> : null}
      {diff && diff.prefix > 0 && loaded.data ? <Same entries={loaded.data[0].entries.slice(0, diff.prefix)} /> : null}
      {diff?.rows.length === 0 ? (
        <p role="status" className="px-1 text-sm text-ink-soft">
          {t(diff.prefix === 0 ? 'compareEmpty' : 'compareEqual')}
        </p>
      ) : null}
      {diff ? <DiffRows rows={diff.rows} /> : null}
    </Panel>
  );
};
