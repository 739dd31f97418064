import { textOf } from '@turnkeeper/core/protocol/text-of';
import type { InputBody } from '@turnkeeper/core/view/input';
import type { ItemBody } from '@turnkeeper/core/view/item';
import { Paperclip, Pencil } from 'lucide-react';
import { useText } from '../i18n/use-text.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { chip, FileChip } from './file-chip.tsx';
import { nameOfBlock, saidAgain } from './said.ts';
import { SteerTicks } from './steer-ticks.tsx';
import { outputText } from './tool-output.tsx';
import { useTurnActs } from './turn-acts-context.ts';

export const userBubble = 'max-w-[88%] rounded-2xl rounded-br-md bg-accent-soft px-4 py-2.5 break-words whitespace-pre-wrap sm:max-w-[80%]';

type UserMessageProps = { readonly sessionId: string; readonly item: ItemBody; readonly steer?: InputBody | undefined };

/** `steer`: it was said to the turn while that ran. */
export const UserMessage = ({ sessionId, item, steer }: UserMessageProps) => {
  const t = useText();
  const acts = useTurnActs();
  const { content } = item.item;
  const text = textOf(content);
  const others = content.filter((block) => block.type !== 'text');
  return (
    <div className="group/said flex flex-col items-end gap-2" data-role="user">
      <span className="sr-only">{t('you')}:</span>
      <div className="flex max-w-full items-center justify-end gap-1 self-stretch">
        {acts && (text !== '' || others.some(({ type }) => type !== 'data') || content.length === 1) ? (
          <IconButton
            label={t('editResend')}
            onClick={() => acts.writeAgain(saidAgain(content))}
            className="size-8! opacity-0 transition-opacity group-hover/said:opacity-100 focus-visible:opacity-100 [@media(hover:none)]:opacity-60"
          >
            <Pencil aria-hidden className="size-4" />
          </IconButton>
        ) : null}
        {text === '' ? null : <div className={userBubble}>{text}</div>}
      </div>
      {others.map((block, at) =>
        block.type === 'file' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the content of a message never changes its order
          <FileChip key={at} sessionId={sessionId} fileId={block.file_id} />
        ) : block.type === 'data' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <pre key={at} className={`${userBubble} font-mono text-[12.5px] leading-relaxed`}>
            {outputText([block])}
          </pre>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <span key={at} className={chip}>
            <Paperclip aria-hidden className="size-3.5 shrink-0" />
            <span className="truncate">{nameOfBlock(block) ?? `${t('attachment')} (${block.type})`}</span>
          </span>
        ),
      )}
      {steer ? <SteerTicks status={steer.status} /> : null}
    </div>
  );
};
