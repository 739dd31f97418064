import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import type { TargetCan } from '../auth/target-can.ts';
import { useText } from '../i18n/use-text.ts';

type JsonHintProps = {
  readonly can: Pick<TargetCan, 'json'>;
  readonly target: Pick<SessionResource['target'], 'type'> | undefined;
  readonly example: string | undefined;
};

/** Below a composer: that a JSON object is taken as the input, where one is what is mostly wanted. A team is mostly told. */
export const JsonHint = ({ can, target, example }: JsonHintProps) => {
  const t = useText();
  if (!can.json || target === undefined || target.type === 'team') return null;
  const isPlainWorkflow = target.type === 'workflow' && example === undefined;
  if (isPlainWorkflow) return null;
  return (
    <p className="mt-1.5 px-4 text-xs text-ink-faint [overflow-wrap:anywhere]">
      {example === undefined ? t('jsonInputHint') : t('workflowInputHint', { example })}
    </p>
  );
};
