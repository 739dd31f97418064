import { Check, Copy } from 'lucide-react';
import { useText } from '../i18n/use-text.ts';
import { Button } from './button.tsx';
import { useCopied } from './use-copied.ts';

/** Copies a text; says so for a moment. */
export const CopyButton = ({ label, text }: { readonly label: string; readonly text: string }) => {
  const t = useText();
  const { copied, copy } = useCopied();
  return (
    <Button size="sm" onClick={() => copy(text)}>
      {copied ? <Check aria-hidden className="size-4 text-ok" /> : <Copy aria-hidden className="size-4" />}
      <span aria-live="polite">{copied ? t('copied') : label}</span>
    </Button>
  );
};
