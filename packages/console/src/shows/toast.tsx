import type { MinitoolShow, ShowContent } from '@turnkeeper/core/protocol/wire/minitool-shows';
import { CircleCheck, CircleX, Info, type LucideIcon, TriangleAlert, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useText } from '../i18n/use-text.ts';
import { Button } from '../ui/button.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { FromMinitool } from './from-minitool.tsx';

type Content = Extract<ShowContent, { kind: 'toast' }>;
type ToastProps = {
  readonly content: Content;
  readonly minitool: MinitoolShow['minitool'];
  readonly leftMs: number;
  /** Its button does nothing any more. */
  readonly over: boolean;
  readonly onAnswer: (action: 'action' | 'dismissed') => void;
  readonly onOver: () => void;
};

const icons: Readonly<Record<Content['variant'], { readonly icon: LucideIcon; readonly tone: string } | undefined>> = {
  default: undefined,
  info: { icon: Info, tone: 'text-accent' },
  success: { icon: CircleCheck, tone: 'text-ok' },
  warning: { icon: TriangleAlert, tone: 'text-warn' },
  error: { icon: CircleX, tone: 'text-danger' },
};

/** Goes by itself after its time, which stands still while somebody is at it. */
const useTime = (ms: number, isHeld: boolean, onOver: () => void): void => {
  const left = useRef(ms);
  const over = useRef(onOver);
  over.current = onOver;
  useEffect(() => {
    if (isHeld) return;
    const from = performance.now();
    const timer = setTimeout(() => over.current(), left.current);
    return () => {
      clearTimeout(timer);
      left.current = Math.max(1_000, left.current - (performance.now() - from));
    };
  }, [isHeld]);
};

export const Toast = ({ content, minitool, leftMs, over, onAnswer, onOver }: ToastProps) => {
  const t = useText();
  const [isPointed, setIsPointed] = useState(false);
  const [isFocused, setIsFocused] = useState(false);
  useTime(Math.max(1_000, Math.min(content.durationMs, leftMs)), isPointed || isFocused, onOver);
  const shown = icons[content.variant];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it notices that somebody looks at it, and does nothing
    <div
      data-toast={content.variant}
      onPointerEnter={() => setIsPointed(true)}
      onPointerLeave={() => setIsPointed(false)}
      onFocus={() => setIsFocused(true)}
      onBlur={() => setIsFocused(false)}
      className="pointer-events-auto flex animate-rise gap-2.5 rounded-2xl border border-line bg-surface py-3 pr-2 pl-3.5 shadow-soft"
    >
      {shown ? <shown.icon aria-hidden className={`mt-5.5 size-4.5 shrink-0 ${shown.tone}`} /> : null}
      <div className="flex min-w-0 flex-1 flex-col gap-0.5">
        <FromMinitool minitool={minitool} />
        <p dir="auto" className="line-clamp-4 text-sm font-medium [overflow-wrap:anywhere]">
          {content.title}
        </p>
        {content.description === null ? null : (
          <p dir="auto" className="line-clamp-6 text-[13px] leading-snug whitespace-pre-wrap text-ink-soft [overflow-wrap:anywhere]">
            {content.description}
          </p>
        )}
        {content.actionLabel === null || over ? null : (
          <Button size="sm" className="mt-1.5 max-w-full self-start" onClick={() => onAnswer('action')}>
            <span dir="auto" className="truncate">
              {content.actionLabel}
            </span>
          </Button>
        )}
      </div>
      <IconButton label={t('dismissShow')} className="-mt-1" onClick={() => onAnswer('dismissed')}>
        <X aria-hidden className="size-4" />
      </IconButton>
    </div>
  );
};
