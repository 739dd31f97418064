import { MessageSquarePlus } from 'lucide-react';
import { useText } from '../i18n/use-text.ts';
import { type NewTarget, printTarget } from '../new-chat/new-target.ts';
import { PlaceLink } from '../shell/place-link.tsx';
import { buttonLook } from '../ui/button.tsx';

type StartButtonProps = { readonly target: NewTarget /** One of many on the page. */; readonly isOneOfMany?: boolean };

/** To the first message of a session of it: nothing is made before that is sent. */
export const StartButton = ({ target, isOneOfMany = false }: StartButtonProps) => {
  const t = useText();
  return (
    <PlaceLink to={{ kind: 'new', target: printTarget(target) }} className={buttonLook({ variant: isOneOfMany ? 'secondary' : 'primary', size: 'sm' })}>
      <MessageSquarePlus aria-hidden className="size-4" /> {t('startSession')}
    </PlaceLink>
  );
};
