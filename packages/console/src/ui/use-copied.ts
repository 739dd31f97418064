import { useEffect, useState } from 'react';
import { copyText } from './copy-text.ts';

/** `copied` is true for a moment after a copy: the button says so. */
export const useCopied = (): { readonly copied: boolean; readonly copy: (text: string) => void } => {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1_600);
    return () => clearTimeout(timer);
  }, [copied]);
  return { copied, copy: (text) => void copyText(text).then(setCopied) };
};
