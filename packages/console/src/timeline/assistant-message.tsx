import { textOf } from '@turnkeeper/core/protocol/text-of';
import type { ItemBody } from '@turnkeeper/core/view/item';
import { Check, Copy } from 'lucide-react';
import { useText } from '../i18n/use-text.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { useCopied } from '../ui/use-copied.ts';
import { MarkdownText } from './markdown-text.tsx';

export const AssistantMessage = ({ item }: { readonly item: ItemBody }) => {
  const t = useText();
  const { copied, copy } = useCopied();
  const { content, status } = item.item;
  const text = textOf(content);
  const streaming = status === 'in_progress';
  return (
    <div className="group relative" data-role="assistant" data-status={status}>
      <span className="sr-only">{t('assistant')}:</span>
      <div aria-busy={streaming}>
        <MarkdownText text={text} streaming={streaming} />
      </div>
      {status === 'incomplete' ? <p className="mt-1 text-[13px] text-ink-faint italic">{t('cutOff')}</p> : null}
      {streaming || text === '' ? null : (
        <IconButton
          label={copied ? t('copied') : t('copy')}
          onClick={() => copy(text)}
          className="absolute -bottom-8 -left-2 size-8! opacity-0 transition-opacity group-hover:opacity-100 focus-visible:opacity-100"
        >
          {copied ? <Check aria-hidden className="size-4 text-ok" /> : <Copy aria-hidden className="size-4" />}
        </IconButton>
      )}
    </div>
  );
};
