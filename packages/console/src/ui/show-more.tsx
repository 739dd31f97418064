import { useText } from '../i18n/use-text.ts';
import { Button } from './button.tsx';
import type { Pages } from './use-pages.ts';

/** Below a list that is read page by page, while there is more of it. */
export const ShowMore = ({ hasMore, showMore }: Pick<Pages<unknown>, 'hasMore' | 'showMore'>) => {
  const t = useText();
  if (!hasMore) return null;
  return (
    <Button className="self-center" onClick={showMore}>
      {t('showMore')}
    </Button>
  );
};
