import type { ActionBody } from '@turnkeeper/core/view/action';
import { ActionForm } from './action-form.tsx';

/** For an open action that belongs to no call on the page. */
export const ActionCard = ({ sessionId, action }: { readonly sessionId: string; readonly action: ActionBody }) => (
  <div className="animate-rise rounded-2xl border border-warn-line bg-warn-soft px-4 py-4 shadow-soft">
    <ActionForm sessionId={sessionId} action={action} />
  </div>
);
