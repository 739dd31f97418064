import { Search, ZoomIn, ZoomOut } from 'lucide-react';
import { type RefObject, useState } from 'react';
import { useText } from '../i18n/use-text.ts';
import { Button } from '../ui/button.tsx';
import { TextInput } from '../ui/field.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Select } from '../ui/select.tsx';
import { kindTexts, statusTexts } from './row-look.ts';
import { type RowKind, type RowStatus, rowKinds, rowStatuses } from './trace.ts';
import type { RowFilter } from './view-query.ts';

type TraceFilterProps = {
  readonly filter: RowFilter;
  readonly shown: number;
  readonly count: number;
  readonly isZoomed: boolean;
  /** There is little room: where the screen is small it makes way. */
  readonly makesWay: boolean;
  readonly input: RefObject<HTMLInputElement | null>;
  readonly onFilter: (filter: RowFilter) => void;
  readonly onZoom: (factor: number) => void;
  readonly onZoomAll: () => void;
};

const Zoom = ({ isZoomed, onZoom, onZoomAll }: Pick<TraceFilterProps, 'isZoomed' | 'onZoom' | 'onZoomAll'>) => {
  const t = useText();
  return (
    <div className="ml-auto flex items-center">
      {isZoomed ? (
        <Button size="sm" variant="quiet" onClick={onZoomAll}>
          {t('turnZoomAll')}
        </Button>
      ) : null}
      <IconButton label={t('turnZoomOut')} disabled={!isZoomed} onClick={() => onZoom(2)}>
        <ZoomOut aria-hidden className="size-4" />
      </IconButton>
      <IconButton label={t('turnZoomIn')} onClick={() => onZoom(0.5)}>
        <ZoomIn aria-hidden className="size-4" />
      </IconButton>
    </div>
  );
};

const slim = 'max-sm:min-w-0 max-sm:flex-1 [&_select]:h-9 [&_select]:py-0 [&_select]:text-[13px]';

export const TraceFilter = ({ filter, shown, count, isZoomed, makesWay, input, onFilter, onZoom, onZoomAll }: TraceFilterProps) => {
  const t = useText();
  const [draft, setDraft] = useState(filter.text);
  // As it is written, with the space that a next word will follow; else as it stands in the address.
  const words = draft.split(/\s+/).filter(Boolean).join(' ') === filter.text ? draft : filter.text;
  return (
    <div className={`flex flex-wrap items-center gap-2 border-b border-line px-3 py-2 sm:px-5 ${makesWay ? 'max-sm:hidden' : ''}`}>
      <span className="relative w-full sm:w-60">
        <Search aria-hidden className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-faint" />
        <TextInput
          ref={input}
          type="search"
          aria-label={t('turnFilterText')}
          placeholder={t('turnFilterText')}
          value={words}
          onChange={({ target }) => {
            setDraft(target.value);
            onFilter({ ...filter, text: target.value });
          }}
          className="h-9! pl-9! text-[13px] max-sm:text-base"
        />
      </span>
      <Select
        aria-label={t('turnFilterKind')}
        className={slim}
        value={filter.kind ?? ''}
        onChange={({ target }) => onFilter({ ...filter, kind: target.value === '' ? undefined : (target.value as RowKind) })}
      >
        <option value="">
          {t('turnFilterKind')}: {t('turnAny')}
        </option>
        {rowKinds.map((kind) => (
          <option key={kind} value={kind}>
            {t(kindTexts[kind])}
          </option>
        ))}
      </Select>
      <Select
        aria-label={t('turnFilterStatus')}
        className={slim}
        value={filter.status ?? ''}
        onChange={({ target }) => onFilter({ ...filter, status: target.value === '' ? undefined : (target.value as RowStatus) })}
      >
        <option value="">
          {t('turnFilterStatus')}: {t('turnAny')}
        </option>
        {rowStatuses.map((status) => (
          <option key={status} value={status}>
            {t(statusTexts[status])}
          </option>
        ))}
      </Select>
      <span role="status" className="text-xs max-sm:sr-only text-ink-faint tabular-nums">
        {t('turnStepsShown', { shown, count })}
      </span>
      <Zoom isZoomed={isZoomed} onZoom={onZoom} onZoomAll={onZoomAll} />
    </div>
  );
};
