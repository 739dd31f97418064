/** A definition as it is. */
export const JsonBlock = ({ value, label }: { readonly value: unknown; readonly label: string }) => (
  <section aria-label={label}>
    <pre className="rounded-2xl border border-line bg-surface px-4 py-3 font-mono text-[12.5px] leading-relaxed whitespace-pre-wrap [overflow-wrap:anywhere]">
      {JSON.stringify(value, null, 2)}
    </pre>
  </section>
);
