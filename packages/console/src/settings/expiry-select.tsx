import { useText } from '../i18n/use-text.ts';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { type Expiry, expiries } from './expiry.ts';

export const ExpirySelect = ({ value, onChange }: { readonly value: Expiry; readonly onChange: (value: Expiry) => void }) => {
  const t = useText();
  return (
    <Field label={t('expires')}>
      {(id) => (
        <Select id={id} value={value} onChange={(event) => onChange(event.target.value as Expiry)}>
          {expiries.map((expiry) => (
            <option key={expiry.id} value={expiry.id}>
              {t(expiry.text)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
};
