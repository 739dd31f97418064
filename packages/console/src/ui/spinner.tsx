export const Spinner = ({ className = 'size-4' }: { readonly className?: string }) => (
  <span aria-hidden className={`inline-block animate-spin rounded-full border-2 border-current border-r-transparent opacity-60 ${className}`} />
);
