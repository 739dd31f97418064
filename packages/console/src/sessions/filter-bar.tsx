import { Search, SlidersHorizontal } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useSignedIn } from '../auth/signed-in-context.ts';
import { useOwnerNames } from '../directory/directory-context.ts';
import { useLocale } from '../i18n/use-locale.ts';
import { useText } from '../i18n/use-text.ts';
import { Button } from '../ui/button.tsx';
import { controlClass } from '../ui/field.tsx';
import { GroupedOptions } from '../ui/grouped-options.tsx';
import { KeyHint } from '../ui/key-hint.tsx';
import { Select } from '../ui/select.tsx';
import { useKeys } from '../ui/use-keys.ts';
import { furtherFilters, type SessionFilters, searchPlaces, statuses } from './filters.ts';
import { MoreFilters } from './more-filters.tsx';

type FilterBarProps = {
  readonly filters: SessionFilters;
  readonly nameOf: (owner: string) => string;
  readonly onChange: (filters: SessionFilters) => void;
};

const statusTexts = { active: 'filterActive', archived: 'filterArchived', all: 'filterAll' } as const;
const placeTexts = { titles: 'searchInTitles', messages: 'searchInMessages' } as const;
/** Messages are looked through, titles are looked up. */
const settleMs = { titles: 200, messages: 500 } as const;

/** Searches when the writing pauses. What stands in the address wins when it changes by itself (back, forward). */
type SearchFieldProps = { readonly q: string; readonly within: SessionFilters['in']; readonly onSearch: (q: string) => void };
const SearchField = ({ q, within, onSearch }: SearchFieldProps) => {
  const t = useText();
  const ref = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(q);
  const [known, setKnown] = useState(q);
  if (known !== q) {
    setKnown(q);
    setText(q);
  }
  useEffect(() => {
    if (text === known) return;
    const timer = setTimeout(() => {
      setKnown(text);
      onSearch(text);
    }, settleMs[within]);
    return () => clearTimeout(timer);
  }, [text, known, within, onSearch]);
  const label = t(within === 'messages' ? 'searchMessages' : 'searchSessions');
  useKeys({ '/': { text: label, act: () => ref.current?.select() } });
  return (
    <span className="relative block min-w-0 flex-1 max-sm:basis-full">
      <Search aria-hidden className="pointer-events-none absolute top-1/2 left-3.5 size-4 -translate-y-1/2 text-ink-faint" />
      <input
        ref={ref}
        type="search"
        value={text}
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder={label}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          setText('');
          event.currentTarget.blur();
        }}
        className={`${controlClass} h-11 py-0 pr-10 pl-10 [&::-webkit-search-cancel-button]:hidden`}
      />
      <span className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 text-ink-faint">
        <KeyHint shown={text === ''}>/</KeyHint>
      </span>
    </span>
  );
};

type MoreButtonProps = { readonly filters: SessionFilters; readonly open: boolean; readonly onToggle: () => void };

const MoreButton = ({ filters, open, onToggle }: MoreButtonProps) => {
  const t = useText();
  const count = furtherFilters.filter((name) => filters[name] !== '').length;
  return (
    <Button className="h-11! max-sm:flex-1" aria-expanded={open} aria-controls="more-filters" onClick={onToggle}>
      <SlidersHorizontal aria-hidden className="size-4" />
      {count === 0 ? t('moreFilters') : t('moreFiltersCount', { count })}
    </Button>
  );
};

/** One's own, all, or one owner among those whose sessions one may read. */
const OwnerOptions = ({ owner, nameOf }: { readonly owner: string; readonly nameOf: FilterBarProps['nameOf'] }) => {
  const t = useText();
  const locale = useLocale();
  const { user } = useSignedIn();
  const named = [...useOwnerNames()].map(([value, label]) => ({ value, label })).sort((a, b) => a.label.localeCompare(b.label, locale));
  const of = (kind: string) => named.filter(({ value }) => value.startsWith(`${kind}:`) && value !== `user:${user?.id}`);
  const groups = [
    { label: t('ownersPeople'), choices: of('user') },
    { label: t('ownersApplications'), choices: of('app') },
    { label: t('ownersMinitools'), choices: of('minitool') },
  ];
  const first = [
    { value: 'me', label: t('filterMine') },
    { value: 'all', label: t('filterEveryones') },
  ];
  return <GroupedOptions value={owner} first={first} groups={groups} nameOf={nameOf} />;
};

export const FilterBar = ({ filters, nameOf, onChange }: FilterBarProps) => {
  const t = useText();
  // Shown as long as one of them narrows the list, until somebody says otherwise.
  const [asked, setAsked] = useState<boolean>();
  const more = asked ?? furtherFilters.some((name) => filters[name] !== '');
  const select = 'max-sm:min-w-0 max-sm:flex-1 max-sm:basis-[calc(50%-0.25rem)]';
  return (
    <search className="flex flex-col gap-2">
      <div className="flex flex-wrap gap-2">
        <SearchField q={filters.q} within={filters.in} onSearch={(q) => onChange({ ...filters, q })} />
        <Select
          className={`${select} sm:w-40`}
          aria-label={t('searchIn')}
          value={filters.in}
          onChange={(event) => onChange({ ...filters, in: event.target.value as SessionFilters['in'] })}
        >
          {searchPlaces.map((place) => (
            <option key={place} value={place}>
              {t(placeTexts[place])}
            </option>
          ))}
        </Select>
        <Select
          className={`${select} sm:w-32`}
          aria-label={t('filterStatus')}
          value={filters.status}
          onChange={(event) => onChange({ ...filters, status: event.target.value as SessionFilters['status'] })}
        >
          {statuses.map((status) => (
            <option key={status} value={status}>
              {t(statusTexts[status])}
            </option>
          ))}
        </Select>
        <Select
          className={`${select} sm:w-44`}
          aria-label={t('filterOwner')}
          value={filters.owner}
          onChange={(event) => onChange({ ...filters, owner: event.target.value })}
        >
          <OwnerOptions owner={filters.owner} nameOf={nameOf} />
        </Select>
        <MoreButton filters={filters} open={more} onToggle={() => setAsked(!more)} />
      </div>
      {more ? <MoreFilters filters={filters} onChange={onChange} /> : null}
    </search>
  );
};
