import type { InspectedMessage, ModelCallDetail } from '@turnkeeper/core/protocol/wire/model-calls';
import { Bot, ChevronRight, UserRound, Wrench } from 'lucide-react';
import { type ReactNode, useCallback } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import type { TextKey } from '../i18n/en.ts';
import { useText } from '../i18n/use-text.ts';
import { CodeBox, outputText } from '../timeline/tool-output.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { Notice } from '../ui/notice.tsx';
import { useLoaded } from '../ui/use-loaded.ts';

const differTexts: { readonly [part: string]: TextKey } = {
  messages: 'turnDiffersMessages',
  system: 'turnDiffersSystem',
  tools: 'turnDiffersTools',
  files: 'turnDiffersFiles',
};
const roleTexts = { user: 'turnRoleUser', assistant: 'turnRoleAssistant', tool: 'turnRoleTool' } as const;
const roleIcons = { user: UserRound, assistant: Bot, tool: Wrench } as const;

type Part = Extract<InspectedMessage, { role: 'assistant' }>['content'][number] | Extract<InspectedMessage, { role: 'user' }>['content'][number];

const partText = (part: Part): string => {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text;
    case 'tool_use':
      return `${part.name}(${JSON.stringify(part.input, null, 2)})`;
    case 'data':
      return JSON.stringify(part.data, null, 2);
    case 'file':
      return `[${part.file_id}]`;
    case 'image':
    case 'audio':
    case 'video':
      return `[${part.name ?? part.type}]`;
  }
};

const messageText = (message: InspectedMessage): string =>
  message.role === 'tool' ? message.results.map(({ name, output }) => `${name}: ${outputText(output)}`).join('\n') : message.content.map(partText).join('\n');

const mono = 'overflow-x-auto rounded-xl bg-sunken px-3.5 py-2.5 font-mono text-[12.5px] leading-relaxed whitespace-pre-wrap [overflow-wrap:anywhere]';

const Part = ({ part }: { readonly part: Part }) => {
  const t = useText();
  if (part.type === 'reasoning') return <CodeBox label={t('turnReasoning')} text={part.text} />;
  if (part.type === 'text') return <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{part.text}</p>;
  return <pre className={mono}>{partText(part)}</pre>;
};

const Parts = ({ parts }: { readonly parts: readonly Part[] }) => (
  <div className="flex flex-col gap-2 text-sm">
    {parts.map((part, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: what was sent never changes its order
      <Part key={at} part={part} />
    ))}
  </div>
);

const Fold = ({ title, isOpen = false, children }: { readonly title: ReactNode; readonly isOpen?: boolean; readonly children: ReactNode }) => (
  <details open={isOpen} className="group rounded-xl border border-line bg-surface">
    <summary className="flex items-center gap-2 rounded-xl px-3.5 py-2 text-[13px] select-none hover:bg-sunken [&::-webkit-details-marker]:hidden">
      {title}
      <ChevronRight aria-hidden className="ml-auto size-4 shrink-0 text-ink-faint transition-transform duration-150 group-open:rotate-90" />
    </summary>
    <div className="border-t border-line px-3.5 py-3">{children}</div>
  </details>
);

const Message = ({ message, isOpen }: { readonly message: InspectedMessage; readonly isOpen: boolean }) => {
  const t = useText();
  const Icon = roleIcons[message.role];
  const title = (
    <>
      <Icon aria-hidden className="size-3.5 shrink-0 text-ink-faint" />
      <span className="shrink-0 font-medium">{t(roleTexts[message.role])}</span>
      <span className="min-w-0 truncate text-ink-faint group-open:invisible">{messageText(message).slice(0, 200)}</span>
    </>
  );
  return (
    <Fold title={title} isOpen={isOpen}>
      {message.role === 'tool' ? (
        <div className="flex flex-col gap-3">
          {message.results.map(({ tool_call_id, name, output }) => (
            <CodeBox key={tool_call_id} label={name} text={outputText(output)} />
          ))}
        </div>
      ) : (
        <Parts parts={message.content} />
      )}
    </Fold>
  );
};

const Section = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section className="flex flex-col gap-1.5">
    <h3 className="text-xs font-medium text-ink-faint">{title}</h3>
    {children}
  </section>
);

const Request = ({ request: { system, messages, tools, temperature } }: Pick<ModelCallDetail, 'request'>) => {
  const t = useText();
  return (
    <>
      <Section title={t('turnRequestSystem')}>
        <pre className={`${mono} max-h-60 overflow-y-auto`}>{system === '' ? t('turnRequestNoSystem') : system}</pre>
      </Section>
      <Section title={t('turnRequestMessages', { count: messages.length })}>
        {messages.map((message, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what was sent never changes its order
          <Message key={at} message={message} isOpen={at === messages.length - 1} />
        ))}
      </Section>
      {tools.length === 0 ? null : (
        <Section title={t('turnRequestTools', { count: tools.length })}>
          {tools.map(({ name, description, inputSchema }) => (
            <Fold key={name} title={<ToolTitle name={name} description={description} />}>
              <p className="mb-2 text-sm text-ink-soft">{description}</p>
              <pre className={mono}>{JSON.stringify(inputSchema, null, 2)}</pre>
            </Fold>
          ))}
        </Section>
      )}
      {temperature === null ? null : (
        <p className="text-[13px] text-ink-soft">
          {t('turnRequestTemperature')}: {temperature}
        </p>
      )}
    </>
  );
};

const ToolTitle = ({ name, description }: { readonly name: string; readonly description: string }) => (
  <>
    <span className="shrink-0 font-mono text-[12.5px]">{name}</span>
    <span className="min-w-0 truncate text-ink-faint group-open:invisible">{description}</span>
  </>
);

const Response = ({ response }: Pick<ModelCallDetail, 'response'>) => {
  const t = useText();
  return (
    <Section title={t('turnResponse')}>
      {response === null ? <p className="text-sm text-ink-soft">{t('turnResponseNone')}</p> : null}
      {response && !response.complete ? <p className="text-[13px] text-warn">{t('turnResponsePartial')}</p> : null}
      {response ? (
        <div className="rounded-xl border border-line bg-surface px-3.5 py-3">
          <Parts parts={response.content} />
        </div>
      ) : null}
    </Section>
  );
};

type ModelCallViewProps = {
  readonly sessionId: string;
  readonly turnId: string;
  readonly callId: string /** Reads it again when it is over. */;
  readonly status: string;
};

/** What the model was shown and said; read only while somebody looks. */
export const ModelCallView = ({ sessionId, turnId, callId, status }: ModelCallViewProps) => {
  const t = useText();
  const { context } = useClient();
  // biome-ignore lint/correctness/useExhaustiveDependencies: with another status there is more to be read
  const loaded = useLoaded(useCallback(() => context.modelCall(sessionId, turnId, callId), [context, sessionId, turnId, callId, status]));
  const { data } = loaded;
  if (!data) return <LoadState loaded={loaded} />;
  const parts = data.differs.map((part) => t(differTexts[part] ?? 'turnDiffersTools')).join('; ');
  return (
    <div data-model-call={callId} data-exact={data.exact} className="flex flex-col gap-4">
      {data.exact ? <p className="text-[13px] text-ink-faint">{t('turnRequestExact')}</p> : <Notice tone="warn">{t('turnRequestDiffers', { parts })}</Notice>}
      <Response response={data.response} />
      <Request request={data.request} />
      <span>
        <CopyButton label={t('turnCopyRequest')} text={JSON.stringify({ request: data.request, response: data.response }, null, 2)} />
      </span>
    </div>
  );
};
