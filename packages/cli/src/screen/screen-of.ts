/** The full screen of a session that there is. */
import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import type { ScreenStart } from './full-screen.ts';

export const screenOf = ({ id, title, target }: SessionResource, mode: ScreenStart['mode']): ScreenStart => ({
  mode,
  session: { sessionId: id },
  title,
  target: [target.name ?? target.id, ...(target.model === undefined ? [] : [target.model])].join(' · '),
});
