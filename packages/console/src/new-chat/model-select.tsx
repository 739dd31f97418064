import { useText } from '../i18n/use-text.ts';
import { Select } from '../ui/select.tsx';
import type { NewChat } from './use-new-chat.ts';

type ModelSelectProps = { readonly chat: NewChat; readonly id: string; readonly className?: string };

/** The agent's own model, or another that it may be used with; where there is nothing to choose, which one it is. */
export const ModelSelect = ({ chat: { agent, model, chooseModel, models, ownModel }, id, className = '' }: ModelSelectProps) => {
  const t = useText();
  if (!agent) return null;
  return (
    <Select id={id} value={model} disabled={models.length === 0} onChange={(event) => chooseModel(event.target.value)} className={className}>
      <option value="">{t('agentsOwnModel', { model: ownModel ?? '…' })}</option>
      {models.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </Select>
  );
};
