import { Composer } from '../composer/composer.tsx';
import { draftOf } from '../composer/draft.ts';
import { curlSession, shellQuote, terminalCommand } from '../composer/snippets.ts';
import { WaysIn } from '../composer/ways-in.tsx';
import type { NewChat } from './use-new-chat.ts';

/** The first message, and the other two ways to send it. */
export const NewChatComposer = ({ chat: { agent, model, busy, send }, focuses = true }: { readonly chat: NewChat; readonly focuses?: boolean }) => (
  <>
    <Composer place="new" focuses={focuses} disabled={busy || !agent} onSend={send} />
    <div className="mt-2">
      <WaysIn
        curl={(access) =>
          curlSession(access, { agent: agent?.agentKey ?? '', ...(model === '' ? {} : { model }) }, { message: draftOf('new').get().trim() || 'Hello' })
        }
        terminal={(access) => terminalCommand(access, `chat --agent ${agent?.agentKey ?? ''}${model === '' ? '' : ` --model ${shellQuote(model)}`}`)}
      />
    </div>
  </>
);
