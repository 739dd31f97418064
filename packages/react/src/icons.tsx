/** Drawn here, in the strokes of Lucide (ISC): a chat brings no package of icons along. */
const Icon = ({ paths, className = '' }: { readonly paths: readonly string[]; readonly className?: string }) => (
  <svg
    className={`tk-icon ${className}`}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth={2}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden
  >
    {paths.map((path) => (
      <path key={path} d={path} />
    ))}
  </svg>
);

export const SendIcon = () => <Icon paths={['m5 12 7-7 7 7', 'm12 19V5']} />;
export const DownIcon = () => <Icon paths={['m12 5v14', 'm19 12-7 7-7-7']} />;
export const CloseIcon = () => <Icon paths={['m18 6L6 18', 'm6 6 12 12']} />;
export const StopIcon = () => <Icon paths={['m6 6h12v12H6z']} className="tk-filled" />;
export const AttachIcon = () => (
  <Icon paths={['m16 6-8.414 8.586a2 2 0 0 0 2.829 2.829l8.414-8.586a4 4 0 1 0-5.657-5.657l-8.379 8.551a6 6 0 1 0 8.485 8.485l8.379-8.551']} />
);
