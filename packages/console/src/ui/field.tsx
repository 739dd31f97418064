import { type ComponentProps, type ReactNode, useId } from 'react';

const control =
  'w-full rounded-xl border border-line bg-surface px-3.5 py-2.5 text-ink placeholder:text-ink-faint transition-colors duration-150 hover:border-line-strong focus-visible:outline-offset-0 max-sm:text-base';

export const controlClass = control;

/** A label over its control, tied together for screen readers. */
export const Field = ({ label, hint, children }: { readonly label: string; readonly hint?: string; readonly children: (id: string) => ReactNode }) => {
  const id = useId();
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-[13px] font-medium text-ink-soft">
        {label}
      </label>
      {children(id)}
      {hint === undefined ? null : <p className="text-[13px] leading-snug text-ink-faint">{hint}</p>}
    </div>
  );
};

export const TextInput = ({ className = '', ...rest }: ComponentProps<'input'>) => <input className={`${control} h-11 ${className}`} {...rest} />;
export const TextArea = ({ className = '', rows = 3, ...rest }: ComponentProps<'textarea'>) => (
  <textarea rows={rows} className={`${control} resize-y leading-relaxed ${className}`} {...rest} />
);
