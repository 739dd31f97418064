/** The chat as it comes, and one of one's own on the same hooks. Type-checked; a page bundles it with React and `chat.css`. */
import { Chat } from '@turnkeeper/react/chat';
import { TurnkeeperProvider } from '@turnkeeper/react/provider';
import { useActions } from '@turnkeeper/react/use-actions';
import { useCapabilities } from '@turnkeeper/react/use-capabilities';
import { useSend } from '@turnkeeper/react/use-send';
import { useSession } from '@turnkeeper/react/use-session';
import { useStop } from '@turnkeeper/react/use-stop';
import { useTimeline } from '@turnkeeper/react/use-timeline';
import { useTurn } from '@turnkeeper/react/use-turn';

type Visitor = { readonly url: string; readonly token: string; readonly sessionId: string };

export const Help = ({ url, token, sessionId }: Visitor) => (
  <TurnkeeperProvider url={url} token={token}>
    <Chat sessionId={sessionId} title="Ask the florist" theme="system" onExpired={() => location.reload()} />
  </TurnkeeperProvider>
);

const Answer = ({ sessionId, turnId }: { readonly sessionId: string; readonly turnId: string }) => {
  const { turn, entries, done } = useTurn(sessionId, turnId);
  return (
    <article aria-busy={!done}>
      <h3>{turn?.preview}</h3>
      {turn?.output_text ?? `${entries.length} steps so far`}
    </article>
  );
};

export const OwnChat = ({ sessionId }: { readonly sessionId: string }) => {
  const { status, connection } = useSession(sessionId);
  const { turns, hasOlder, loadOlder } = useTimeline(sessionId);
  const { send, messages } = useSend(sessionId);
  const { actions, mayAnswer, answers } = useActions(sessionId);
  const { state, stop } = useStop(sessionId);
  const takesJson = useCapabilities(sessionId)?.['json_input'] === true;
  return (
    <main>
      <p>
        {status} {connection.kind}
      </p>
      {hasOlder ? (
        <button type="button" onClick={() => void loadOlder()}>
          Show earlier messages
        </button>
      ) : null}
      {turns.map(({ turnId, turn }) =>
        turn?.ended_at === undefined ? <Answer key={turnId} sessionId={sessionId} turnId={turnId} /> : <p key={turnId}>{turn.output_text}</p>,
      )}
      {messages.map(({ key, text }) => (
        <p key={key}>{text}</p>
      ))}
      {actions.filter(mayAnswer).map((action) => (
        <button key={action.request_id} type="button" onClick={() => void answers.confirm(action)}>
          {action.tool_call?.name}
        </button>
      ))}
      {takesJson ? (
        <button type="button" onClick={() => send('{"order": 4711}', [], { order: 4711 })}>
          Ask about an order
        </button>
      ) : null}
      <button type="button" onClick={() => send('Hello')}>
        Say hello
      </button>
      {state === 'can_stop' ? (
        <button type="button" onClick={stop}>
          Stop
        </button>
      ) : null}
    </main>
  );
};
