import { useRef, useState } from 'react';
import { useText } from '../i18n/use-text.ts';
import { Button } from '../ui/button.tsx';
import { TextInput } from '../ui/field.tsx';
import { KeyHint } from '../ui/key-hint.tsx';
import { useKeys } from '../ui/use-keys.ts';
import type { Answering } from './use-answer.ts';

type ApprovalFormProps = { readonly prompt: string; readonly answering: Answering; readonly keys: boolean | undefined };

/** Approved or rejected, with a reason that the agent is told. By keys as a confirmation: N goes to the reason, Enter rejects with it. */
export const ApprovalForm = ({ prompt, answering, keys }: ApprovalFormProps) => {
  const t = useText();
  const reasonRef = useRef<HTMLInputElement>(null);
  const [reason, setReason] = useState('');
  const decide = (decision: 'approved' | 'rejected'): void => {
    if (!answering.busy) void answering.answer(reason.trim() === '' ? {} : { reason: reason.trim() }, decision);
  };
  useKeys(
    {
      y: { text: t('approve'), act: () => decide('approved') },
      n: { text: t('reject'), act: () => reasonRef.current?.focus() },
    },
    keys === true,
  );
  const hint = (key: string) => (keys === undefined ? null : <KeyHint shown={keys}>{key}</KeyHint>);
  return (
    <>
      <h2 className="text-[15px] font-semibold break-words whitespace-pre-wrap">{prompt}</h2>
      <div className="flex flex-wrap items-center gap-2">
        <TextInput
          ref={reasonRef}
          className="h-10! min-w-40 flex-1 max-sm:h-11! max-sm:basis-full"
          aria-label={t('reasonOptional')}
          placeholder={t(keys === true && matchMedia('(hover: hover)').matches ? 'reasonThenReject' : 'reasonOptional')}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.nativeEvent.isComposing && keys === true) {
              event.preventDefault();
              decide('rejected');
            } else if (event.key === 'Escape') {
              event.preventDefault();
              event.currentTarget.blur();
            }
          }}
        />
        <Button className="max-sm:h-12 max-sm:flex-1" disabled={answering.busy} onClick={() => decide('rejected')}>
          {t('reject')}
          {hint('N')}
        </Button>
        <Button variant="primary" className="max-sm:h-12 max-sm:flex-1" disabled={answering.busy} onClick={() => decide('approved')}>
          {answering.busy ? t('answering') : t('approve')}
          {hint('Y')}
        </Button>
      </div>
    </>
  );
};
