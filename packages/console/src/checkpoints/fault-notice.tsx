import { useText } from '../i18n/use-text.ts';
import { pageAt } from '../shell/address.ts';
import { PlaceLink } from '../shell/place-link.tsx';
import { Notice } from '../ui/notice.tsx';
import { inTheWayOf, wayText } from './checkpoint-texts.ts';

/** Why something was refused; where the session is not at rest, what is in the way, with a way there. */
export const FaultNotice = ({ sessionId, error }: { readonly sessionId: string; readonly error: unknown }) => {
  const t = useText();
  const way = inTheWayOf(error);
  if (!way) return <Notice tone="danger">{(error as Error).message}</Notice>;
  return (
    <Notice tone="warn">
      <span data-in-the-way={way.ways.join(' ')} className="flex flex-wrap items-center justify-between gap-2">
        {t('checkpointInTheWay', { parts: way.ways.map((each) => wayText(each, t)).join(', ') })}
        {way.turnId === undefined ? null : (
          <PlaceLink to={pageAt('turn', { session: sessionId, turn: way.turnId })} className="underline underline-offset-2">
            {t('checkpointWayTurn')}
          </PlaceLink>
        )}
      </span>
    </Notice>
  );
};
