import { useIsKeyed } from '../timeline/turn-acts-context.ts';
import { ActionForm } from './action-form.tsx';
import type { ShownAction } from './shown-action.ts';

/** For an open action that belongs to no call on the page. */
export const ActionCard = ({ sessionId, action }: { readonly sessionId: string; readonly action: ShownAction }) => {
  const keyed = useIsKeyed(action.request_id);
  return (
    <div className="animate-rise rounded-2xl border border-warn-line bg-warn-soft px-4 py-4 shadow-soft">
      <ActionForm sessionId={sessionId} action={action} showsInput {...(keyed ? { keys: true } : {})} />
    </div>
  );
};
