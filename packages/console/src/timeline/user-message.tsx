import { textOf } from '@turnkeeper/core/protocol/content';
import type { ItemBody } from '@turnkeeper/core/view/item';
import { Paperclip } from 'lucide-react';
import { useText } from '../i18n/use-text.ts';

export const userBubble = 'max-w-[88%] rounded-2xl rounded-br-md bg-accent-soft px-4 py-2.5 break-words whitespace-pre-wrap sm:max-w-[80%]';

export const UserMessage = ({ item }: { readonly item: ItemBody }) => {
  const t = useText();
  const { content } = item.item;
  const others = content.filter((block) => block.type !== 'text');
  return (
    <div className="flex flex-col items-end gap-2" data-role="user">
      <span className="sr-only">{t('you')}:</span>
      <div className={userBubble}>{textOf(content)}</div>
      {others.map((block, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the content of a message never changes its order
        <span key={at} className="inline-flex items-center gap-1.5 rounded-full border border-line px-3 py-1 text-[13px] text-ink-soft">
          <Paperclip aria-hidden className="size-3.5" />
          {'name' in block && typeof block.name === 'string' ? block.name : `${t('attachment')} (${block.type})`}
        </span>
      ))}
    </div>
  );
};
