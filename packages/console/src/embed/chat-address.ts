/**
 * What the address of the chat's page says: `/c/<token>`, or `/c/#token=…`, which no server is ever told; and how it is to look.
 *
 * CA1 A token is taken out of the address before anything else is loaded or shown: it stays out of the history, of bookmarks and
 *     of what is copied from the address bar.
 */
export type ChatAddress = {
  readonly token: string | undefined;
  readonly language: 'en' | 'zh' | undefined;
  readonly theme: 'light' | 'dark' | 'system';
  readonly title: string | undefined;
  /** The page around it shows a way to close it. */
  readonly closable: boolean;
};

const oneOf = <Of extends string>(value: string | null, ...known: readonly Of[]): Of | undefined => known.find((each) => each === value);

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

export const readChatAddress = ({ pathname, hash }: { readonly pathname: string; readonly hash: string }): ChatAddress => {
  const said = new URLSearchParams(hash.replace(/^#/, ''));
  const inPath = /^\/c\/([^/]+)$/.exec(pathname)?.[1];
  return {
    token: said.get('token') || (inPath === undefined ? undefined : decoded(inPath)),
    language: oneOf(said.get('language'), 'en', 'zh'),
    theme: oneOf(said.get('theme'), 'light', 'dark', 'system') ?? 'system',
    title: said.get('title') || undefined,
    closable: said.get('closable') === '1',
  };
};

/** The same address without a token [CA1]. */
export const withoutToken = ({ hash }: { readonly hash: string }): string => {
  const said = new URLSearchParams(hash.replace(/^#/, ''));
  said.delete('token');
  return said.size === 0 ? '/c/' : `/c/#${said}`;
};
