/** `exec.ui.requestForm`: a form of a running tool of a mini-tool. */
import type { HostApi } from '../host-api.ts';
import { formOf, valuesOf } from './form-spec.ts';

/** A call that is over has nobody to ask: the session has ended for it. */
export const requestForm: HostApi['form.request'] = async ({ signal }, { spec }, call) => {
  const { fields, ...asked } = formOf(spec);
  if (!call) return { submitted: false, values: {}, reason: 'session-ended' };
  const answer = await call.ask({ ...asked, signal });
  return answer.submitted ? { submitted: true, values: valuesOf(fields, answer.values) } : { submitted: false, values: {}, reason: answer.reason };
};
