import type { UserResource } from '@turnkeeper/core/protocol/wire/identity';
import { useText } from '../i18n/use-text.ts';
import { Field, TextInput } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';

type PersonPickerProps = {
  readonly people: readonly UserResource[] | undefined;
  /** Those who are there already. */
  readonly without: readonly string[];
  readonly value: string;
  readonly onChange: (userId: string) => void;
};

/** Somebody by name where names may be read, else by id. */
export const PersonPicker = ({ people, without, value, onChange }: PersonPickerProps) => {
  const t = useText();
  return (
    <Field label={t('personLabel')} {...(people ? {} : { hint: t('personIdHint') })}>
      {(id) =>
        people ? (
          <Select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
            <option value="">{t('chooseOne')}</option>
            {people
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
