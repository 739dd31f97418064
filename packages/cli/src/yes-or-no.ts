/** What is answered with `approve` or `deny`: whether a tool may run, and what a workflow or an agent asks approval for. */
import type { OpenAction } from '@turnkeeper/client/calls/actions';

export const isYesOrNo = ({ kind }: OpenAction): boolean => kind === 'confirmation' || kind === 'approval';
