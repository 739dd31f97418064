import { Component, type ReactNode } from 'react';
import { useText } from '../i18n/use-text.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';

/** Browsers say it in different words; that it was a file that is loaded is in all of them. */
const isLoading = (message: string): boolean => /dynamically imported module|importing a module|module script|preload css/i.test(message);

const Failed = ({ error, menuButton }: { readonly error: Error; readonly menuButton: ReactNode }) => {
  const t = useText();
  return (
    <div className="flex h-full flex-col">
      <div className="flex h-16 shrink-0 items-center px-4 md:hidden">{menuButton}</div>
      <div className="mx-auto w-full max-w-xl px-4 py-10">
        <Notice tone="danger">
          <p>{isLoading(error.message) ? t('pageNotLoaded') : t('pageFailed', { message: error.message })}</p>
          <Button size="sm" className="mt-3" onClick={() => location.reload()}>
            {t('reloadPage')}
          </Button>
        </Notice>
      </div>
    </div>
  );
};

type PageBoundaryProps = { readonly menuButton: ReactNode; readonly children: ReactNode };

/** A page that cannot be loaded or shown leaves the others alone. Give it a key for each page. */
export class PageBoundary extends Component<PageBoundaryProps, { readonly error: Error | undefined }> {
  override state: { readonly error: Error | undefined } = { error: undefined };
  static getDerivedStateFromError(error: unknown): { readonly error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }
  override render(): ReactNode {
    return this.state.error ? <Failed error={this.state.error} menuButton={this.props.menuButton} /> : this.props.children;
  }
}
