import { useText } from '../i18n/use-text.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';
import { Spinner } from './spinner.tsx';

type LoadStateProps = { readonly loaded: { readonly data: unknown; readonly fault: string | undefined; readonly reload: () => void } };

/** What stands where the data will: nothing, then that it is being read; or why it cannot be, and a way to try again. */
export const LoadState = ({ loaded: { data, fault, reload } }: LoadStateProps) => {
  const t = useText();
  if (fault !== undefined) {
    return (
      <Notice tone="danger">
        <span className="flex flex-wrap items-center justify-between gap-2">
          {fault}
          <Button size="sm" onClick={reload}>
            {t('retry')}
          </Button>
        </span>
      </Notice>
    );
  }
  if (data !== undefined) return null;
  return (
    <p className="flex animate-late items-center gap-2 px-1 text-sm text-ink-faint">
      <Spinner /> {t('loading')}
    </p>
  );
};
