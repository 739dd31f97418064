import type { AgentResource } from '@turnkeeper/core/protocol/wire/agents';
import { useEffect, useRef } from 'react';
import { useText } from '../i18n/use-text.ts';

type AgentPickerProps = { readonly agents: readonly AgentResource[]; readonly chosen: string; readonly onChoose: (id: string) => void };

/** Cards that are radio buttons: arrow keys move between them. */
export const AgentPicker = ({ agents, chosen, onChoose }: AgentPickerProps) => {
  const t = useText();
  const ref = useRef<HTMLFieldSetElement>(null);
  // The one that the address names may stand far below.
  useEffect(() => {
    ref.current?.querySelector(':checked')?.closest('label')?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <fieldset ref={ref}>
      <legend className="mb-1.5 text-[13px] font-medium text-ink-soft">{t('pickAgent')}</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {agents.map((agent) => (
          <label
            key={agent.id}
            className="flex cursor-pointer flex-col gap-0.5 rounded-2xl border border-line bg-surface px-4 py-3 transition-colors duration-150 hover:border-line-strong has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <input type="radio" name="agent" value={agent.id} checked={agent.id === chosen} onChange={() => onChoose(agent.id)} className="sr-only" />
            <span className="truncate text-[15px] font-medium">{agent.displayName}</span>
            <span className="line-clamp-2 text-[13px] leading-snug text-ink-soft">{agent.description || agent.agentKey}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
};
