import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';

const surface = 'z-50 min-w-52 origin-top-right rounded-2xl border border-line bg-surface p-1.5 text-sm shadow-soft animate-rise';
const row = 'flex w-full cursor-pointer items-center gap-2.5 rounded-xl px-3 py-2 outline-none select-none data-[highlighted]:bg-sunken';

/**
 * Not modal: a modal menu injects a style element, which a strict content security policy refuses. Not moved to the
 * end of the page either: inside a modal dialog it would then lie below it.
 */
export const Menu = ({ trigger, children }: { readonly trigger: ReactNode; readonly children: ReactNode }) => (
  <DropdownMenu.Root modal={false}>
    <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
    <DropdownMenu.Content className={surface} align="end" sideOffset={6} collisionPadding={8}>
      {children}
    </DropdownMenu.Content>
  </DropdownMenu.Root>
);

type MenuItemProps = { readonly icon?: ReactNode; readonly tone?: 'danger'; readonly onSelect: () => void; readonly children: ReactNode };

export const MenuItem = ({ icon, tone, onSelect, children }: MenuItemProps) => (
  <DropdownMenu.Item className={`${row} ${tone === 'danger' ? 'text-danger' : 'text-ink'}`} onSelect={onSelect}>
    {icon}
    {children}
  </DropdownMenu.Item>
);

type MenuChoiceProps = {
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string) => void;
};

/** One of several, the chosen one marked. The menu stays open, so that the effect is seen. */
export const MenuChoice = ({ label, value, options, onChange }: MenuChoiceProps) => (
  <DropdownMenu.RadioGroup value={value} onValueChange={onChange} aria-label={label}>
    <DropdownMenu.Label className="px-3 pt-2 pb-1 text-xs font-medium text-ink-faint">{label}</DropdownMenu.Label>
    {options.map((option) => (
      <DropdownMenu.RadioItem
        key={option.value}
        value={option.value}
        className={`${row} justify-between text-ink`}
        onSelect={(event) => event.preventDefault()}
      >
        {option.label}
        <DropdownMenu.ItemIndicator className="size-1.5 rounded-full bg-accent" />
      </DropdownMenu.RadioItem>
    ))}
  </DropdownMenu.RadioGroup>
);

export const MenuSeparator = () => <DropdownMenu.Separator className="mx-3 my-1.5 h-px bg-line" />;
