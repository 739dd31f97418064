import { useText } from '../i18n/use-text.ts';
import { ShowDialog } from './show-dialog.tsx';
import { dialogOf, mayHush, toastsOf } from './shows-state.ts';
import { Toast } from './toast.tsx';
import { useShows } from './use-shows.ts';

/** Below the head of the page, away from where people type and press. It takes no clicks but on what it shows. */
const corner = 'pointer-events-none fixed top-16 right-4 z-40 flex w-[min(22rem,calc(100vw-1.5rem))] flex-col gap-2 max-md:right-3 max-md:left-3 max-md:w-auto';

export const ShowLayer = () => {
  const t = useText();
  const { state, answer, leave, hush } = useShows();
  const dialog = dialogOf(state);
  return (
    <>
      <section aria-label={t('minitoolMessages')} aria-live="polite" aria-relevant="additions" className={corner}>
        {toastsOf(state).map((show) =>
          show.content.kind === 'toast' ? (
            <Toast
              key={show.id}
              content={show.content}
              minitool={show.minitool}
              leftMs={show.leftMs}
              over={show.over}
              onAnswer={(action) => {
                leave(show.id);
                if (!show.over) void answer(show.id, { action }).catch(() => {});
              }}
              onOver={() => leave(show.id)}
            />
          ) : null,
        )}
      </section>
      {dialog && dialog.content.kind !== 'toast' ? (
        <ShowDialog
          key={dialog.id}
          content={dialog.content}
          minitool={dialog.minitool}
          onAnswer={(given) => answer(dialog.id, given)}
          onUnwanted={() => leave(dialog.id, true)}
          onHush={mayHush(state, dialog) ? () => hush(dialog.minitool.id) : undefined}
        />
      ) : null}
    </>
  );
};
