import { limits } from '@turnkeeper/core/protocol/wire/limits';
import { FileText, Image as ImageIcon, RotateCcw, TriangleAlert, X } from 'lucide-react';
import { formatBytes } from '../i18n/format.ts';
import { useLocale } from '../i18n/use-locale.ts';
import { useText } from '../i18n/use-text.ts';
import { type Attachment, largestFile } from './attachments.ts';
import type { Attached } from './use-attached.ts';

const isImage = (name: string): boolean => /\.(png|jpe?g|gif|webp|avif|svg|bmp|heic)$/i.test(name);

const Mark = ({ attachment: { name, state } }: { readonly attachment: Attachment }) => {
  if (state.kind === 'failed') return <TriangleAlert aria-hidden className="size-4 shrink-0 text-danger" />;
  const Icon = isImage(name) ? ImageIcon : FileText;
  return <Icon aria-hidden className="size-4 shrink-0 text-ink-faint" />;
};

const useFaultText = ({ name, state }: Attachment): string | undefined => {
  const t = useText();
  const locale = useLocale();
  if (state.kind !== 'failed') return undefined;
  const message = state.reason === 'too_large' ? t('fileTooLarge', { size: formatBytes(largestFile, locale) }) : state.reason.message;
  return t('uploadFailed', { name, message });
};

const small = 'grid size-7 shrink-0 place-items-center rounded-full text-ink-soft hover:bg-line hover:text-ink max-sm:size-9';

const Chip = ({ attachment, attached }: { readonly attachment: Attachment; readonly attached: Attached }) => {
  const t = useText();
  const { key, name, state } = attachment;
  const fault = useFaultText(attachment);
  const percent = state.kind === 'uploading' ? Math.round(state.part * 100) : undefined;
  return (
    <li
      data-attachment={state.kind}
      className="relative flex max-w-full items-center gap-1.5 overflow-hidden rounded-full border border-line bg-canvas py-0.5 pr-0.5 pl-3 text-[13px]"
    >
      <Mark attachment={attachment} />
      <span className={`min-w-0 truncate ${fault === undefined ? '' : 'text-danger'}`} title={fault ?? name} role={fault === undefined ? undefined : 'alert'}>
        {fault ?? name}
      </span>
      {percent === undefined ? null : (
        <progress
          value={percent}
          max={100}
          aria-label={t('uploading', { name, percent })}
          className="h-1 w-14 shrink-0 overflow-hidden rounded-full [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent"
        />
      )}
      {state.kind === 'failed' && state.reason !== 'too_large' && attachment.file ? (
        <button type="button" className={small} aria-label={t('retry')} title={t('retry')} onClick={() => attached.retry(key)}>
          <RotateCcw aria-hidden className="size-3.5" />
        </button>
      ) : null}
      <button
        type="button"
        className={small}
        aria-label={t('removeAttachment', { name })}
        title={t('removeAttachment', { name })}
        onClick={() => attached.remove(key)}
      >
        <X aria-hidden className="size-3.5" />
      </button>
    </li>
  );
};

export const AttachmentList = ({ attached }: { readonly attached: Attached }) => {
  const t = useText();
  if (attached.count === 0) return null;
  return (
    <div className="px-1 pt-1">
      <ul aria-label={t('attachments')} className="flex flex-wrap gap-1.5">
        {attached.list.map((attachment) => (
          <Chip key={attachment.key} attachment={attachment} attached={attached} />
        ))}
      </ul>
      {attached.overfull ? (
        <p role="alert" className="px-2 pt-1 text-[13px] text-warn">
          {t('tooManyFiles', { count: limits.attachments })}
        </p>
      ) : null}
    </div>
  );
};
