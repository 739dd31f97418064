import type { InputBody } from '@turnkeeper/core/view/input';
import { Check, CheckCheck, CircleSlash } from 'lucide-react';
import { useText } from '../i18n/use-text.ts';

/** One tick: it is stored. Two: the agent has read it. */
export const SteerTicks = ({ status }: { readonly status: InputBody['status'] }) => {
  const t = useText();
  const [Icon, text] = {
    accepted: [Check, t('steerReceived')] as const,
    applied: [CheckCheck, t('steerUsed')] as const,
    rejected: [CircleSlash, t('steerUnused')] as const,
  }[status];
  return (
    <p role="status" data-steer={status} className={`flex items-center gap-1.5 text-[13px] ${status === 'applied' ? 'text-accent' : 'text-ink-faint'}`}>
      <Icon aria-hidden className="size-4 shrink-0" />
      {text}
    </p>
  );
};
