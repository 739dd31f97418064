import { type ReactNode, useEffect, useState } from 'react';
import type { TextKey } from '../i18n/en.ts';
import { useText } from '../i18n/use-text.ts';
import { TextInput } from '../ui/field.tsx';
import { type Choice, type ChoiceGroup, GroupedOptions } from '../ui/grouped-options.tsx';
import { Select } from '../ui/select.tsx';
import { activities, periods, type SessionFilters } from './filters.ts';
import { useFilterChoices } from './use-filter-choices.ts';

type MoreFiltersProps = { readonly filters: SessionFilters; readonly onChange: (filters: SessionFilters) => void };

const activityTexts: Record<SessionFilters['activity'], TextKey> = {
  '': 'anyActivity',
  running: 'statusRunning',
  requires_action: 'statusWaiting',
  idle: 'statusIdle',
};
const settleMs = 400;

type ChoiceSelectProps = {
  readonly label: string;
  readonly value: string;
  readonly first: readonly Choice[];
  readonly groups?: readonly ChoiceGroup[];
  readonly nameOf?: (value: string) => string;
  readonly onChange: (value: string) => void;
};

const ChoiceSelect = ({ label, onChange, groups = [], ...choices }: ChoiceSelectProps) => (
  <Labelled label={label}>
    <Select aria-label={label} value={choices.value} onChange={(event) => onChange(event.target.value)}>
      <GroupedOptions {...choices} groups={groups} />
    </Select>
  </Labelled>
);

const Labelled = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <div className="flex min-w-0 flex-col gap-1">
    <span aria-hidden className="px-1 text-xs text-ink-faint">
      {label}
    </span>
    {children}
  </div>
);

/** Waits until somebody has done typing. */
const CostInput = ({ cost, onChange }: { readonly cost: string; readonly onChange: (cost: string) => void }) => {
  const t = useText();
  const [text, setText] = useState(cost);
  const [known, setKnown] = useState(cost);
  if (known !== cost) {
    setKnown(cost);
    setText(cost);
  }
  useEffect(() => {
    const wanted = Number(text) > 0 ? text : '';
    if (wanted === known) return;
    const timer = setTimeout(() => {
      setKnown(wanted);
      onChange(wanted);
    }, settleMs);
    return () => clearTimeout(timer);
  }, [text, known, onChange]);
  return (
    <Labelled label={t('filterCost')}>
      <TextInput
        type="number"
        inputMode="decimal"
        min={0}
        step="any"
        aria-label={t('filterCost')}
        placeholder="0.00"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </Labelled>
  );
};

export const MoreFilters = ({ filters, onChange }: MoreFiltersProps) => {
  const t = useText();
  const { targets, places } = useFilterChoices();
  const set = (change: Partial<SessionFilters>): void => onChange({ ...filters, ...change });
  const periodText = (since: SessionFilters['since']): string =>
    since === '' ? t('anyTime') : since === 'today' ? t('sinceToday') : t('sinceDays', { count: since });
  const placeName = (place: string): string => (place.startsWith('container:') ? t('containerOf', { id: place.slice('container:'.length) }) : place);
  return (
    <div id="more-filters" className="grid grid-cols-2 gap-2 md:grid-cols-3 lg:grid-cols-5">
      <ChoiceSelect
        label={t('filterActivity')}
        value={filters.activity}
        first={activities.map((value) => ({ value, label: t(activityTexts[value]) }))}
        onChange={(value) => set({ activity: value as SessionFilters['activity'] })}
      />
      <ChoiceSelect
        label={t('filterTarget')}
        value={filters.target}
        first={[{ value: '', label: t('anyTarget') }]}
        groups={targets}
        onChange={(target) => set({ target })}
      />
      <ChoiceSelect
        label={t('filterPlace')}
        value={filters.place}
        first={[{ value: '', label: t('anyPlace') }]}
        groups={places}
        nameOf={placeName}
        onChange={(place) => set({ place })}
      />
      <ChoiceSelect
        label={t('filterSince')}
        value={filters.since}
        first={periods.map((value) => ({ value, label: periodText(value) }))}
        onChange={(value) => set({ since: value as SessionFilters['since'] })}
      />
      <CostInput cost={filters.cost} onChange={(cost) => set({ cost })} />
    </div>
  );
};
