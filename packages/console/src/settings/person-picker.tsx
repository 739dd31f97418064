import { useText } from '../i18n/use-text.ts';
import { Field, TextInput } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import type { People } from './use-people.ts';

type PersonPickerProps = {
  readonly people: People;
  /** Those who are there already. */
  readonly without: readonly string[];
  readonly value: string;
  readonly onChange: (userId: string) => void;
};

/** Somebody by name where names may be read, else by id. Until they are read nothing is taken: it would be gone with the field. */
export const PersonPicker = ({ people, without, value, onChange }: PersonPickerProps) => {
  const t = useText();
  return (
    <Field label={t('personLabel')} {...(people ? {} : { hint: t('personIdHint') })}>
      {(id) =>
        people ? (
          <Select id={id} value={value} disabled={people === 'coming'} onChange={(event) => onChange(event.target.value)}>
            <option value="">{t('chooseOne')}</option>
            {(people === 'coming' ? [] : people)
              .filter((person) => !without.includes(person.id))
              .map((person) => (
                <option key={person.id} value={person.id}>
                  {person.displayName} ({person.username})
                </option>
              ))}
          </Select>
        ) : (
          <TextInput id={id} value={value} spellCheck={false} autoCapitalize="none" onChange={(event) => onChange(event.target.value.trim())} />
        )
      }
    </Field>
  );
};
