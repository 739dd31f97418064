import type { OpenAction } from '@turnkeeper/client/calls/actions';
import { createWishKeys } from '@turnkeeper/client/fresh-key';
import { MessageCircleQuestion } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import { Button } from '../ui/button.tsx';
import { TextInput } from '../ui/field.tsx';
import { KeyHint } from '../ui/key-hint.tsx';
import { useAct } from '../ui/use-act.ts';
import { useKeys } from '../ui/use-keys.ts';

type AskBackButtonProps = { readonly selected: boolean; readonly onOpen: () => void };

export const AskBackButton = ({ selected, onOpen }: AskBackButtonProps) => {
  const t = useText();
  useKeys({ q: onOpen }, selected);
  return (
    <Button variant="quiet" size="sm" className="max-sm:h-11" aria-keyshortcuts={selected ? 'Q' : undefined} onClick={onOpen}>
      <MessageCircleQuestion aria-hidden className="size-4" />
      {t('askBack')}
      <KeyHint shown={selected}>Q</KeyHint>
    </Button>
  );
};

type AskBackFormProps = { readonly action: OpenAction; readonly onAsked: () => void; readonly onClose: () => void };

/** The same question sent again is one question. */
const useQuestion = ({ action, onAsked }: AskBackFormProps) => {
  const { inputs } = useClient();
  const [text, setText] = useState('');
  const [keys] = useState(() => createWishKeys('ask'));
  const { act, busy, fault } = useAct();
  const ask = async (): Promise<void> => {
    const message = text.trim();
    if (message === '' || busy) return;
    if (await act(() => inputs.steer(action.session_id, action.turn_id, { message }, { idempotencyKey: keys.of(message) }))) onAsked();
  };
  return { text, setText, ask, busy, fault };
};

/** Says something to the turn that waits: a question about what it wants to do. It decides nothing. */
export const AskBackForm = (props: AskBackFormProps) => {
  const t = useText();
  const { text, setText, ask, busy, fault } = useQuestion(props);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void ask();
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-2 rounded-xl bg-sunken p-3" data-ask-back>
      <div className="flex flex-wrap gap-2">
        <TextInput
          className="h-10! min-w-40 flex-1 max-sm:h-11!"
          aria-label={t('askBackLabel')}
          placeholder={t('askBackLabel')}
          value={text}
          autoFocus
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.preventDefault();
            props.onClose();
          }}
        />
        <Button type="submit" disabled={busy || text.trim() === ''} className="max-sm:h-11 max-sm:flex-1">
          {t('askBackSend')}
        </Button>
      </div>
      <p className="text-[13px] leading-snug text-ink-faint">{t('askBackHint')}</p>
      {fault === undefined ? null : (
        <p role="alert" className="text-[13px] text-danger">
          {fault}
        </p>
      )}
    </form>
  );
};
