import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { controlClass } from './field.tsx';

/** The platform's own list: right on phones, with keyboards and with screen readers. */
export const Select = ({ className = '', children, ...rest }: ComponentProps<'select'>) => (
  <span className={`relative block ${className}`}>
    <select className={`${controlClass} h-11 appearance-none truncate py-0 pr-10`} {...rest}>
      {children}
    </select>
    <ChevronDown aria-hidden className="pointer-events-none absolute top-1/2 right-3.5 size-4 -translate-y-1/2 text-ink-faint" />
  </span>
);
