import type { Client } from '@turnkeeper/client/create-client';
import { Chat } from '@turnkeeper/react/chat';
import { TurnkeeperProvider } from '@turnkeeper/react/provider';
import { chatLanguage, chatText } from '@turnkeeper/react/texts';
import { visitorClient } from '@turnkeeper/react/visitor-client';
import { useCallback, useEffect, useState } from 'react';
import type { ChatAddress } from './chat-address.ts';
import { embedTexts } from './embed-texts.ts';
import { inFrame, onToken, tellAround, tellOpened, wasOpened } from './page-token.ts';

type Opened =
  | { readonly kind: 'open'; readonly client: Client; readonly sessionId: string }
  | { readonly kind: 'expired' | 'unknown' | 'wrong' | 'unreachable' };
type Known = { readonly token: string; readonly opened: Opened };

/** Which session a token is for; of one that is for more than a session nothing is shown here. */
const openWith = async (token: string): Promise<Opened> => {
  const client = visitorClient(location.origin, token);
  try {
    const { client: visitor } = await client.account.me();
    if (!visitor) return { kind: 'wrong' };
    tellOpened();
    return { kind: 'open', client, sessionId: visitor.sessionId };
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== 'unauthenticated') return { kind: 'unreachable' };
    return { kind: wasOpened() ? 'expired' : 'unknown' };
  }
};

const useOpened = (token: string | undefined): { readonly opened: Opened | undefined; readonly again: () => void } => {
  const [known, setKnown] = useState<Known>();
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once more with each try
  useEffect(() => {
    if (token === undefined) return;
    let here = true;
    void openWith(token).then((opened) => {
      if (here) setKnown({ token, opened });
    });
    return () => {
      here = false;
    };
  }, [token, tries]);
  const again = useCallback(() => {
    setKnown(undefined);
    setTries((before) => before + 1);
  }, []);
  // While a new token is looked at, the chat stays as it is.
  return { opened: token === undefined ? undefined : known?.opened, again };
};

type SayingProps = { readonly address: ChatAddress; readonly text: string; readonly action?: { readonly label: string; readonly run: () => void } };

const Saying = ({ address, text, action }: SayingProps) => (
  <div className="tk-chat tk-saying" data-theme={address.theme}>
    <p role="alert">{text}</p>
    {action ? (
      <button type="button" className="tk-button" onClick={action.run}>
        {action.label}
      </button>
    ) : null}
  </div>
);

export const ChatPage = ({ address, token: first }: { readonly address: ChatAddress; readonly token: string | undefined }) => {
  const [token, setToken] = useState(first);
  const { opened, again } = useOpened(token);
  const language = address.language ?? chatLanguage(navigator.languages);
  const texts = embedTexts[language];
  useEffect(() => {
    const stop = onToken(setToken);
    tellAround('ready');
    return stop;
  }, []);
  // The page around it has another token in both cases.
  const expired = opened?.kind === 'expired' || opened?.kind === 'unknown';
  useEffect(() => {
    document.documentElement.lang = language === 'zh' ? 'zh-CN' : language;
    document.title = address.title ?? texts.title;
  }, [language, address.title, texts]);
  useEffect(() => {
    if (expired) tellAround('expired');
  }, [expired]);
  const tellExpired = useCallback(() => tellAround('expired'), []);
  const close = useCallback(() => tellAround('close'), []);
  if (token === undefined) return inFrame() ? null : <Saying address={address} text={texts.noToken} />;
  switch (opened?.kind) {
    case undefined:
      return null;
    case 'expired':
      return <Saying address={address} text={chatText(language)('expired')} />;
    case 'unknown':
      return <Saying address={address} text={texts.unknownToken} />;
    case 'wrong':
      return <Saying address={address} text={texts.wrongToken} />;
    case 'unreachable':
      return <Saying address={address} text={texts.unreachable} action={{ label: texts.retry, run: again }} />;
    case 'open':
      return (
        <TurnkeeperProvider client={opened.client}>
          <Chat
            sessionId={opened.sessionId}
            language={language}
            theme={address.theme}
            title={address.title}
            onExpired={tellExpired}
            onClose={address.closable ? close : undefined}
          />
        </TurnkeeperProvider>
      );
  }
};
