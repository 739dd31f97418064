import type { Json } from '@turnkeeper/core/protocol/json';
import type { MinitoolDetails, PatchMinitoolRequest } from '@turnkeeper/core/protocol/wire/minitools';
import { useState } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import { Button } from '../ui/button.tsx';
import { Checks } from '../ui/checks.tsx';
import { Field, TextArea, TextInput } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { Select } from '../ui/select.tsx';
import { useAct } from '../ui/use-act.ts';
import { beginningOf, changedValues, faultyFields, isSwitch, type SettingsField, type SettingValues } from './setting-values.ts';

type InputProps = { readonly field: SettingsField; readonly value: Json; readonly isSet: boolean; readonly onChange: (value: Json) => void };

const asText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

const SettingInput = ({ field, value, isSet, onChange }: InputProps) => {
  const t = useText();
  const label = field.required ? `${field.label} *` : field.label;
  if (isSwitch(field)) {
    return (
      <label className="flex items-start gap-2.5 text-sm">
        <input type="checkbox" checked={value === true} onChange={(event) => onChange(event.target.checked)} className="mt-1 size-4 accent-accent" />
        <span>
          {label}
          {field.description === '' ? null : <span className="block text-[13px] leading-snug text-ink-faint">{field.description}</span>}
        </span>
      </label>
    );
  }
  if (field.type === 'multiselect') {
    return <Checks label={label} options={field.options} chosen={Array.isArray(value) ? value.map(String) : []} onChange={(chosen) => onChange([...chosen])} />;
  }
  return (
    <Field label={label} {...(field.description === '' ? {} : { hint: field.description })}>
      {(id) => {
        if (field.type === 'select') {
          return (
            <Select id={id} value={asText(value)} onChange={(event) => onChange(event.target.value)}>
              <option value="">{t('chooseOne')}</option>
              {field.options.map((option) => (
                <option key={option.value} value={option.value}>
                  {option.label}
                </option>
              ))}
            </Select>
          );
        }
        const common = { id, value: asText(value), placeholder: field.secret && isSet ? t('secretIsSet') : field.placeholder };
        if (field.type === 'textarea') return <TextArea {...common} onChange={(event) => onChange(event.target.value)} />;
        return (
          <TextInput
            {...common}
            type={field.secret ? 'password' : 'text'}
            autoComplete="off"
            inputMode={field.type === 'number' ? 'decimal' : 'text'}
            onChange={(event) => onChange(event.target.value)}
          />
        );
      }}
    </Field>
  );
};

type SettingsFormProps = {
  readonly minitool: MinitoolDetails;
  readonly set: SettingValues;
  readonly secretSettings: readonly string[];
  readonly onChanged: () => void;
};

export const SettingsForm = ({ minitool, set, secretSettings, onChanged }: SettingsFormProps) => {
  const t = useText();
  const { minitools } = useClient();
  const { busy, fault, act } = useAct();
  const [values, setValues] = useState<SettingValues>({});
  const fields = minitool.settingsFields;
  const changes = changedValues(fields, set, values);
  const isChanged = Object.keys(changes).length > 0;
  const save = async (): Promise<void> => {
    if (!(await act(() => minitools.patch(minitool.id, { settings: changes as NonNullable<PatchMinitoolRequest['settings']> })))) return;
    setValues({});
    onChanged();
  };
  return (
    <form
      className="flex flex-col gap-4 rounded-2xl border border-line bg-surface p-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged && !busy) void save();
      }}
    >
      {fields.map((field) => (
        <SettingInput
          key={field.key}
          field={field}
          value={values[field.key] ?? beginningOf(field, set)}
          isSet={secretSettings.includes(field.key)}
          onChange={(value) => setValues({ ...values, [field.key]: value })}
        />
      ))}
      {fault === undefined ? null : <Notice tone="danger">{fault}</Notice>}
      <div className="flex items-center gap-3">
        <Button type="submit" variant="primary" disabled={!isChanged || busy || faultyFields(fields, values).length > 0}>
          {t('save')}
        </Button>
        {isChanged && minitool.status === 'enabled' ? <p className="text-[13px] text-ink-faint">{t('savingRestarts')}</p> : null}
      </div>
    </form>
  );
};
