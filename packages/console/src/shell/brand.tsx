import { useText } from '../i18n/use-text.ts';

export const Brand = () => {
  const t = useText();
  return (
    <span className="flex items-center gap-2.5">
      <img src="/icon.svg" alt="" width={28} height={28} className="size-7" />
      <span className="text-[17px] font-semibold tracking-tight">{t('appName')}</span>
    </span>
  );
};
