import { useText } from '../i18n/use-text.ts';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { Dialog } from './dialog.tsx';
import { Notice } from './notice.tsx';

type ShownOnceProps = {
  readonly title: string;
  readonly secret: string;
  /** A command that uses it. */
  readonly curl?: string;
  readonly onClose: () => void;
};

const block = 'rounded-xl border border-line bg-sunken px-3.5 py-3 font-mono text-[13px] leading-relaxed [overflow-wrap:anywhere]';

/** A credential in the one moment in which it can be seen. */
export const ShownOnce = ({ title, secret, curl, onClose }: ShownOnceProps) => {
  const t = useText();
  return (
    <Dialog open onClose={onClose} label={title} className="w-[min(36rem,calc(100vw-1.5rem))] rounded-2xl border border-line">
      <div className="flex flex-col gap-4 p-5 sm:p-6">
        <h2 className="text-lg font-semibold">{title}</h2>
        <Notice tone="warn">{t('shownOnce')}</Notice>
        <code data-secret className={block}>
          {secret}
        </code>
        {curl === undefined ? null : (
          <div className="flex flex-col gap-1.5">
            <p className="text-[13px] font-medium text-ink-soft">{t('tryItNow')}</p>
            <pre className={`${block} max-h-40 overflow-auto whitespace-pre-wrap`}>{curl}</pre>
          </div>
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <CopyButton label={t('copy')} text={secret} />
          {curl === undefined ? null : <CopyButton label={t('copyCurl')} text={curl} />}
          <Button size="sm" variant="primary" onClick={onClose}>
            {t('copiedAndDone')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
};
