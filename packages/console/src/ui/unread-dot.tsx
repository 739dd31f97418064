import { useText } from '../i18n/use-text.ts';

/** Something happened there that nobody has looked at. */
export const UnreadDot = ({ className = '' }: { readonly className?: string }) => {
  const t = useText();
  return (
    <span className={`inline-flex shrink-0 items-center ${className}`} title={t('unread')} data-unread>
      <span aria-hidden className="size-2 rounded-full bg-danger" />
      <span className="sr-only">{t('unread')}</span>
    </span>
  );
};
