import { Bookmark, X } from 'lucide-react';
import { useState } from 'react';
import { useText } from '../i18n/use-text.ts';
import { useStored } from '../preferences/use-stored.ts';
import { PlaceLink } from '../shell/place-link.tsx';
import { Button } from '../ui/button.tsx';
import { Field, TextInput } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { isUsual, printFilters, type SessionFilters } from './filters.ts';
import { filtersOf, removeSaved, savedFilters, saveFilters } from './saved-filters.ts';

const SaveDialog = ({ filters, onClose }: { readonly filters: SessionFilters; readonly onClose: () => void }) => {
  const t = useText();
  const [name, setName] = useState(filters.q.trim());
  const save = (): void => {
    saveFilters(name.trim(), filters);
    onClose();
  };
  return (
    <FormDialog title={t('saveFilters')} submit={t('save')} busy={false} incomplete={name.trim() === ''} fault={undefined} onSubmit={save} onClose={onClose}>
      <Field label={t('savedName')}>
        {(id) => <TextInput id={id} value={name} maxLength={60} autoFocus onChange={(event) => setName(event.target.value)} />}
      </Field>
    </FormDialog>
  );
};

/** Kept filters, one press each; and a way to keep those of now. */
export const SavedBar = ({ filters }: { readonly filters: SessionFilters }) => {
  const t = useText();
  const saved = useStored(savedFilters);
  const [saves, setSaves] = useState(false);
  const now = printFilters(filters);
  const isKept = saved.some(({ query }) => query === now);
  if (saved.length === 0 && isUsual(filters)) return null;
  return (
    <div className="flex flex-wrap items-center gap-2">
      {saved.length === 0 ? null : (
        <ul aria-label={t('savedFilters')} className="flex flex-wrap gap-2">
          {saved.map((entry) => (
            <li
              key={entry.name}
              className={`flex items-center rounded-full border text-[13px] ${entry.query === now ? 'border-accent bg-accent-soft text-ink' : 'border-line bg-surface text-ink-soft'}`}
            >
              <PlaceLink
                to={{ kind: 'sessions', filters: filtersOf(entry) }}
                aria-current={entry.query === now ? 'true' : undefined}
                className="max-w-56 truncate rounded-l-full py-1.5 pl-3.5 hover:text-ink"
              >
                {entry.name}
              </PlaceLink>
              <button
                type="button"
                aria-label={t('removeSaved', { name: entry.name })}
                onClick={() => removeSaved(entry.name)}
                className="grid size-8 place-items-center rounded-full text-ink-faint hover:text-ink"
              >
                <X aria-hidden className="size-3.5" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {isUsual(filters) || isKept ? null : (
        <Button variant="quiet" size="sm" onClick={() => setSaves(true)}>
          <Bookmark aria-hidden className="size-4" />
          {t('saveFilters')}
        </Button>
      )}
      {saves ? <SaveDialog filters={filters} onClose={() => setSaves(false)} /> : null}
    </div>
  );
};
