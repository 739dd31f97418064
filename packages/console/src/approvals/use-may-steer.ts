import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import { useEffect, useState } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { targetCan } from '../auth/target-can.ts';
import { useAccess } from '../directory/directory-context.ts';

/** Whoever answers an action may be no more than its approver: known once the session was read, when it is first looked at. */
export const useMaySteer = (sessionId: string, looked: boolean): boolean => {
  const { sessions } = useClient();
  const [session, setSession] = useState<SessionResource>();
  const wanted = looked && session === undefined;
  useEffect(() => {
    if (!wanted) return;
    let here = true;
    sessions.get(sessionId).then(
      (read) => here && setSession(read),
      () => {},
    );
    return () => {
      here = false;
    };
  }, [sessions, sessionId, wanted]);
  const accessOf = useAccess(session?.owner.type === 'application');
  return session !== undefined && targetCan(session).steer && accessOf(session.owner).interact;
};
