import type { AgentResource } from '@turnkeeper/core/protocol/wire/agents';
import { Select } from '../ui/select.tsx';

type AgentSelectProps = {
  readonly id?: string;
  readonly label?: string;
  readonly agents: readonly AgentResource[];
  /** An agent's id; '' = none. */
  readonly value: string;
  /** What it says where none is chosen. */
  readonly none: string;
  readonly disabled?: boolean;
  readonly onChange: (agentId: string) => void;
};

export const AgentSelect = ({ id, label, agents, value, none, disabled = false, onChange }: AgentSelectProps) => (
  <Select
    {...(id === undefined ? {} : { id })}
    {...(label === undefined ? {} : { 'aria-label': label })}
    value={value}
    disabled={disabled}
    className="min-w-0 sm:max-w-sm"
    onChange={(event) => onChange(event.target.value)}
  >
    <option value="">{none}</option>
    {agents.map((agent) => (
      <option key={agent.id} value={agent.id}>
        {agent.displayName}
      </option>
    ))}
    {value === '' || agents.some((agent) => agent.id === value) ? null : <option value={value}>{value}</option>}
  </Select>
);
