import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import type { TextKey } from '../i18n/en.ts';
import { useText } from '../i18n/use-text.ts';
import { TextInput } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import { activities, periods, type SessionFilters } from './filters.ts';

type MoreFiltersProps = { readonly filters: SessionFilters; readonly onChange: (filters: SessionFilters) => void };

const activityTexts: Record<SessionFilters['activity'], TextKey> = {
  '': 'anyActivity',
  running: 'statusRunning',
  requires_action: 'statusWaiting',
  idle: 'statusIdle',
};
const settleMs = 400;

type Choice = { readonly value: string; readonly label: string };
type ChoiceSelectProps = { readonly label: string; readonly value: string; readonly choices: readonly Choice[]; readonly onChange: (value: string) => void };

/** What stands in the address but is not among the choices is shown as it is. */
const ChoiceSelect = ({ label, value, choices, onChange }: ChoiceSelectProps) => (
  <Labelled label={label}>
    <Select aria-label={label} value={value} onChange={(event) => onChange(event.target.value)}>
      {[...choices, ...(choices.some((choice) => choice.value === value) ? [] : [{ value, label: value }])].map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
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
  const client = useClient();
  const read = useCallback(async () => {
    const [agents, spaces] = await Promise.all([client.agents.list({ limit: 200 }), client.spaces.list({ limit: 200 })]);
    return { agents: agents.items, spaces: spaces.items };
  }, [client]);
  const { agents = [], spaces = [] } = useLoaded(read).data ?? {};
  const set = (change: Partial<SessionFilters>): void => onChange({ ...filters, ...change });
  const periodText = (since: SessionFilters['since']): string =>
    since === '' ? t('anyTime') : since === 'today' ? t('sinceToday') : t('sinceDays', { count: since });
  const places = spaces.map(({ id, name }) => ({ value: `space:${id}`, label: name || id }));
  const elsewhere = filters.place.startsWith('container:')
    ? [{ value: filters.place, label: t('containerOf', { id: filters.place.slice('container:'.length) }) }]
    : [];
  return (
    <div id="more-filters" className="grid grid-cols-2 gap-2 md:grid-cols-3 lg:grid-cols-5">
      <ChoiceSelect
        label={t('filterActivity')}
        value={filters.activity}
        choices={activities.map((value) => ({ value, label: t(activityTexts[value]) }))}
        onChange={(value) => set({ activity: value as SessionFilters['activity'] })}
      />
      <ChoiceSelect
        label={t('filterTarget')}
        value={filters.target}
        choices={[{ value: '', label: t('anyTarget') }, ...agents.map(({ id, displayName }) => ({ value: id, label: displayName }))]}
        onChange={(target) => set({ target })}
      />
      <ChoiceSelect
        label={t('filterPlace')}
        value={filters.place}
        choices={[{ value: '', label: t('anyPlace') }, ...places, ...elsewhere]}
        onChange={(place) => set({ place })}
      />
      <ChoiceSelect
        label={t('filterSince')}
        value={filters.since}
        choices={periods.map((value) => ({ value, label: periodText(value) }))}
        onChange={(value) => set({ since: value as SessionFilters['since'] })}
      />
      <CostInput cost={filters.cost} onChange={(cost) => set({ cost })} />
    </div>
  );
};
