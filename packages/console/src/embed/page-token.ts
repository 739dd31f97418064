/**
 * Where the chat's page has its token from: its address, the page that frames it, or what this tab knew before a reload.
 *
 * PT1 In a frame it is kept in memory alone. In a tab of its own it is kept in that tab, so that a reload opens the chat again, and
 *     is gone with the tab.
 * PT2 Only the page that frames it is listened to; which pages may is said by the server (`frame-ancestors`).
 */
import { type FromFrame, fromFrame, readToken } from './frame-messages.ts';

const keptName = 'turnkeeper.chat.token';
const openedName = 'turnkeeper.chat.opened';
export const inFrame = (): boolean => window.parent !== window;

/** Says nothing secret, so that any page may hear it. */
export const tellAround = (say: FromFrame): void => {
  if (inFrame()) window.parent.postMessage(fromFrame(say), '*');
};

export const firstToken = (inAddress: string | undefined): string | undefined => {
  // [PT1]
  if (inFrame()) return inAddress;
  try {
    if (inAddress !== undefined && inAddress !== sessionStorage.getItem(keptName)) {
      sessionStorage.setItem(keptName, inAddress);
      sessionStorage.removeItem(openedName);
    }
    return inAddress ?? sessionStorage.getItem(keptName) ?? undefined;
  } catch {
    return inAddress;
  }
};

let openedHere = false;

/** A chat was open here: a token that is refused from now on has come to its end, rather than never having been one. */
export const tellOpened = (): void => {
  openedHere = true;
  if (inFrame()) return;
  try {
    sessionStorage.setItem(openedName, '1');
  } catch {
    // It is known until the next reload.
  }
};

export const wasOpened = (): boolean => {
  if (openedHere || inFrame()) return openedHere;
  try {
    return sessionStorage.getItem(openedName) !== null;
  } catch {
    return false;
  }
};

/** Hears the tokens that the page around it hands over; gives back how to stop that. */
export const onToken = (listener: (token: string) => void): (() => void) => {
  const hear = ({ source, data }: MessageEvent): void => {
    // [PT2]
    if (!inFrame() || source !== window.parent) return;
    const token = readToken(data);
    if (token !== undefined) listener(token);
  };
  addEventListener('message', hear);
  return () => removeEventListener('message', hear);
};
