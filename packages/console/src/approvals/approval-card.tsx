import type { OpenAction } from '@turnkeeper/client/calls/actions';
import { Clock3, SquareArrowOutUpRight } from 'lucide-react';
import { useId, useState } from 'react';
import { ActionForm } from '../actions/action-form.tsx';
import { formatAge } from '../i18n/format.ts';
import { useLocale } from '../i18n/use-locale.ts';
import { useText } from '../i18n/use-text.ts';
import { PlaceLink } from '../shell/place-link.tsx';
import { Button } from '../ui/button.tsx';
import { KeyHint } from '../ui/key-hint.tsx';
import { useNow } from '../ui/use-now.ts';
import { AskBackButton, AskBackForm } from './ask-back.tsx';
import { useMaySteer } from './use-may-steer.ts';

type ApprovalCardProps = {
  readonly action: OpenAction;
  readonly selected: boolean;
  readonly putOff: boolean;
  /** Something was asked back about it. */
  readonly asked?: boolean;
  readonly onSelect: () => void;
  readonly onLater: () => void;
  /** The agent was asked something; nothing is decided. Where it is missing nothing can be asked. */
  readonly onAsked?: () => void;
  readonly onAnswered: () => void;
};

export const approvalCardId = (requestId: string): string => `approval-${requestId}`;

const CardHead = ({ action, titleId, putOff, asked }: Pick<ApprovalCardProps, 'action' | 'putOff' | 'asked'> & { readonly titleId: string }) => {
  const t = useText();
  const locale = useLocale();
  const now = useNow(10_000);
  return (
    <header className="flex items-center gap-2 text-[13px] text-ink-faint">
      <PlaceLink
        id={titleId}
        to={{ kind: 'session', id: action.session_id }}
        className="inline-flex min-w-0 items-center gap-1.5 rounded-md font-medium text-ink-soft transition-colors duration-150 hover:text-accent"
      >
        <span className="truncate">{action.session_title || t('untitled')}</span>
        <SquareArrowOutUpRight aria-hidden className="size-3.5 shrink-0" />
      </PlaceLink>
      <time className="ml-auto shrink-0 tabular-nums" dateTime={new Date(action.created_at).toISOString()}>
        {formatAge(action.created_at, locale, now)}
      </time>
      {asked || putOff ? <span className="shrink-0 rounded-full bg-sunken px-2 py-0.5 text-xs">{t(asked ? 'askedBack' : 'putOff')}</span> : null}
    </header>
  );
};

/** One thing that waits. The selected one is what single keys answer; touching any other selects it. */
export const ApprovalCard = ({ action, selected, putOff, asked = false, onSelect, onLater, onAsked, onAnswered }: ApprovalCardProps) => {
  const t = useText();
  const titleId = useId();
  const [asking, setAsking] = useState(false);
  const mayAsk = useMaySteer(action.session_id, selected && onAsked !== undefined);
  return (
    <article
      id={approvalCardId(action.request_id)}
      tabIndex={-1}
      aria-labelledby={titleId}
      aria-current={selected ? 'true' : undefined}
      data-approval={action.request_id}
      onFocusCapture={onSelect}
      onPointerDownCapture={onSelect}
      className={`flex animate-rise scroll-my-24 flex-col gap-3 rounded-2xl border bg-surface p-4 outline-none transition-[border-color,box-shadow] duration-150 sm:p-5 ${selected ? 'border-accent shadow-soft' : 'border-line'}`}
    >
      <CardHead action={action} titleId={titleId} putOff={putOff} asked={asked} />
      <ActionForm
        sessionId={action.session_id}
        action={action}
        showsInput
        keys={selected}
        onAnswered={onAnswered}
        besides={
          <>
            <Button variant="quiet" size="sm" className="max-sm:h-11" aria-keyshortcuts={selected ? 'L' : undefined} onClick={onLater}>
              <Clock3 aria-hidden className="size-4" />
              {t('later')}
              <KeyHint shown={selected}>L</KeyHint>
            </Button>
            {mayAsk ? <AskBackButton selected={selected} onOpen={() => setAsking(true)} /> : null}
          </>
        }
      />
      {asking ? (
        <AskBackForm
          action={action}
          onClose={() => setAsking(false)}
          onAsked={() => {
            setAsking(false);
            onAsked?.();
          }}
        />
      ) : null}
    </article>
  );
};
