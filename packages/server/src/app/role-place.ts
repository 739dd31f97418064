/** Whose roles an action of a session may ask for. */
import type { SessionRow } from '../ports/session-store.ts';

/** `app:<id>` where an application owns the session, else `space:<id>` or the container that it stands in. */
export const rolePlace = ({ owner, placement }: Pick<SessionRow, 'owner' | 'placement'>): string => (owner.startsWith('app:') ? owner : placement);

/** Where the role `admin` is had. */
export const installation = 'installation';
