import type { FormLink } from '@turnkeeper/core/protocol/form-fields';
import { SquareArrowOutUpRight } from 'lucide-react';

/** Where a mini-tool’s form leads to: its words, and the address itself, which words could hide. */
export const FormLinkLine = ({ link: { label, description, href } }: { readonly link: FormLink }) => (
  <div className="flex min-w-0 flex-col gap-0.5 text-sm">
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="inline-flex min-h-9 items-center gap-1.5 self-start rounded-md font-medium text-accent underline underline-offset-3"
    >
      <bdi className="[overflow-wrap:anywhere]">{label}</bdi>
      <SquareArrowOutUpRight aria-hidden className="size-3.5 shrink-0" />
    </a>
    {label === href ? null : (
      <span dir="ltr" className="truncate text-[13px] text-ink-faint">
        {href}
      </span>
    )}
    {description === '' ? null : <p className="text-[13px] leading-snug whitespace-pre-wrap text-ink-faint">{description}</p>}
  </div>
);
