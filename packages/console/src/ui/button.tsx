import type { ComponentProps } from 'react';

/** `danger` leads to what cannot be taken back, and stands in lists; `final` does it. */
type Variant = 'primary' | 'secondary' | 'quiet' | 'danger' | 'final';

const base =
  'inline-flex items-center justify-center gap-2 rounded-xl font-medium whitespace-nowrap transition-[background-color,border-color,color,opacity] duration-150 disabled:opacity-45 select-none';
const variants: Record<Variant, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong disabled:hover:bg-accent',
  secondary: 'border border-line bg-surface text-ink hover:border-line-strong hover:bg-sunken',
  quiet: 'text-ink-soft hover:bg-sunken hover:text-ink',
  danger: 'border border-line bg-surface text-danger hover:border-danger/50 hover:bg-danger-soft',
  final: 'bg-danger text-surface hover:opacity-90',
};
const sizes = { sm: 'h-8 px-3 text-[13px]', md: 'h-10 px-4 text-sm' };

export type ButtonProps = ComponentProps<'button'> & { readonly variant?: Variant; readonly size?: keyof typeof sizes };

/** Of a link that stands where buttons do. */
export const buttonLook = ({ variant = 'secondary', size = 'md' }: Pick<ButtonProps, 'variant' | 'size'>): string =>
  `${base} ${variants[variant]} ${sizes[size]}`;

export const Button = ({ variant = 'secondary', size = 'md', className = '', type = 'button', ...rest }: ButtonProps) => (
  <button type={type} className={`${buttonLook({ variant, size })} ${className}`} {...rest} />
);
