import { useId } from 'react';

type ChecksProps = {
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly label: string; readonly hint?: string }[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
};

/** Any of several, each with a word about it. */
export const Checks = ({ label, options, chosen, onChange }: ChecksProps) => {
  const id = useId();
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1.5 text-[13px] font-medium text-ink-soft">{label}</legend>
      <div className="flex max-h-64 flex-col overflow-y-auto rounded-xl border border-line p-1.5">
        {options.map((option, at) => (
          <label key={option.value} className="flex cursor-pointer items-start gap-2.5 rounded-lg px-2 py-1.5 hover:bg-sunken">
            <input
              type="checkbox"
              checked={chosen.includes(option.value)}
              {...(option.hint === undefined ? {} : { 'aria-describedby': `${id}-${at}` })}
              aria-label={option.label}
              onChange={(event) => onChange(event.target.checked ? [...chosen, option.value] : chosen.filter((value) => value !== option.value))}
              className="mt-1 size-4 shrink-0 accent-accent"
            />
            <span className="min-w-0">
              <span className="block text-sm [overflow-wrap:anywhere]">{option.label}</span>
              {option.hint === undefined ? null : (
                <span id={`${id}-${at}`} className="block text-[13px] leading-snug text-ink-faint">
                  {option.hint}
                </span>
              )}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
};
