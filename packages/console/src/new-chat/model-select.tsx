import { useText } from '../i18n/use-text.ts';
import { Select } from '../ui/select.tsx';
import type { NewChat } from './use-new-chat.ts';

type ModelSelectProps = { readonly chat: NewChat; readonly id: string; readonly className?: string };

/** The agent's own model, or another of those that are configured. */
export const ModelSelect = ({ chat: { choices, model, chooseModel, ownModel }, id, className = '' }: ModelSelectProps) => {
  const t = useText();
  if (choices.kind !== 'loaded') return null;
  return (
    <Select id={id} value={model} onChange={(event) => chooseModel(event.target.value)} className={className}>
      <option value="">{t('agentsOwnModel', { model: ownModel ?? '…' })}</option>
      {choices.models
        .filter(({ name }) => name !== ownModel)
        .map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
    </Select>
  );
};
