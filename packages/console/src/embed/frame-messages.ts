/** What the chat in a frame and the page around it say to each other. Nothing but a token and small wishes, and no token ever goes out. */
const mark = 'turnkeeper';

/** From the frame: it wants its token, its token has ended, it wants to be closed. */
export type FromFrame = 'ready' | 'expired' | 'close';

export const fromFrame = (say: FromFrame) => ({ [mark]: say });
export const tokenForFrame = (token: string) => ({ [mark]: 'token', token });

const saidIn = (data: unknown): { readonly say: unknown; readonly token: unknown } => {
  const { [mark]: say, token } = (typeof data === 'object' && data !== null ? data : {}) as { readonly [member: string]: unknown };
  return { say, token };
};

export const readFromFrame = (data: unknown): FromFrame | undefined => {
  const { say } = saidIn(data);
  return say === 'ready' || say === 'expired' || say === 'close' ? say : undefined;
};

export const readToken = (data: unknown): string | undefined => {
  const { say, token } = saidIn(data);
  return say === 'token' && typeof token === 'string' && token !== '' ? token : undefined;
};
