import type { TestModelAnswer } from '@turnkeeper/core/protocol/wire/server';
import { useCallback, useState } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { formatDuration } from '../i18n/format.ts';
import { useText } from '../i18n/use-text.ts';
import { Button } from '../ui/button.tsx';
import { controlClass } from '../ui/field.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { Notice } from '../ui/notice.tsx';
import { Panel } from '../ui/panel.tsx';
import { Row, Rows } from '../ui/rows.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { useAct } from '../ui/use-act.ts';
import { useLoaded } from '../ui/use-loaded.ts';
import { Providers } from './providers.tsx';

const TestResult = ({ answer }: { readonly answer: TestModelAnswer }) => {
  const t = useText();
  if (!answer.ok) return <Notice tone="danger">{answer.status === null ? answer.error : `${answer.status}: ${answer.error}`}</Notice>;
  return (
    <Notice>
      <span className="font-medium text-ok">{t('modelAnswered', { time: formatDuration(answer.durationMs, t) })}</span>
      {answer.text === '' ? null : <span className="block [overflow-wrap:anywhere]">{answer.text}</span>}
    </Notice>
  );
};

/** One model, tried where it stands. */
const ModelRow = ({ name }: { readonly name: string }) => {
  const t = useText();
  const { server } = useClient();
  const { busy, fault, act } = useAct();
  const [answer, setAnswer] = useState<TestModelAnswer>();
  return (
    <Row
      id={name}
      title={<code>{name}</code>}
      actions={
        <Button
          size="sm"
          disabled={busy}
          aria-label={t('testNamed', { name })}
          onClick={() =>
            void act(async () => {
              setAnswer(undefined);
              setAnswer(await server.testModel(name));
            })
          }
        >
          {busy ? <Spinner /> : null} {t('test')}
        </Button>
      }
    >
      {fault === undefined ? null : <Notice tone="danger">{fault}</Notice>}
      {answer === undefined ? null : <TestResult answer={answer} />}
    </Row>
  );
};

/** A provider has more models than its list: any of them may be tried. */
const AnyModel = ({ known }: { readonly known: readonly string[] }) => {
  const t = useText();
  const [written, setWritten] = useState('');
  const [tried, setTried] = useState<readonly string[]>([]);
  const name = written.trim();
  return (
    <>
      <form
        className="flex flex-wrap gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (name === '' || known.includes(name) || tried.includes(name)) return;
          setTried([name, ...tried]);
          setWritten('');
        }}
      >
        <input
          aria-label={t('anotherModel')}
          placeholder={t('anotherModelPlaceholder')}
          value={written}
          spellCheck={false}
          autoCapitalize="none"
          onChange={(event) => setWritten(event.target.value)}
          className={`${controlClass} h-10 min-w-0 flex-1 py-0`}
        />
        <Button type="submit" disabled={name === ''}>
          {t('add')}
        </Button>
      </form>
      {tried.length === 0 ? null : (
        <Rows label={t('anotherModel')}>
          {tried.map((model) => (
            <ModelRow key={model} name={model} />
          ))}
        </Rows>
      )}
    </>
  );
};

export const ModelsTab = () => {
  const t = useText();
  const client = useClient();
  const models = useLoaded(useCallback(() => client.models(), [client]));
  const known = models.data?.map(({ name }) => name) ?? [];
  return (
    <>
      <Providers onChanged={models.reload} />
      <Panel title={t('tabModels')} hint={t('modelsHint')}>
        <LoadState loaded={models} />
        {known.length > 0 ? (
          <Rows label={t('tabModels')}>
            {known.map((name) => (
              <ModelRow key={name} name={name} />
            ))}
          </Rows>
        ) : null}
        <AnyModel known={known} />
      </Panel>
    </>
  );
};
