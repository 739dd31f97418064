import { textOf } from '@turnkeeper/core/protocol/text-of';
import type { InputBody } from '@turnkeeper/core/view/input';
import { useText } from '../i18n/use-text.ts';
import { Button } from '../ui/button.tsx';
import { saidAgain } from './said.ts';
import { SteerTicks } from './steer-ticks.tsx';
import { useTurnActs } from './turn-acts-context.ts';
import { userBubble } from './user-message.tsx';

/** Said to the turn, and not used: not yet, or never. */
export const SteerMessage = ({ input }: { readonly input: InputBody }) => {
  const t = useText();
  const acts = useTurnActs();
  const content = input.input.flatMap((message) => message.content);
  return (
    <div className="flex flex-col items-end gap-1.5" data-input={input.input_id}>
      <div className={`${userBubble} ${input.status === 'rejected' ? 'opacity-60' : ''}`}>{textOf(content)}</div>
      <SteerTicks status={input.status} />
      {input.status === 'rejected' && acts ? (
        <Button size="sm" onClick={() => acts.send(saidAgain(content))}>
          {t('sendAsMessage')}
        </Button>
      ) : null}
    </div>
  );
};
