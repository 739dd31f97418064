/** The sessions that a person keeps at hand. */
import { patchPinsRequest, pinsAnswer } from '@turnkeeper/core/protocol/wire/pins';
import { changePins, readPins } from '../../app/manage-pins.ts';
import type { Api, ApiServices } from '../api.ts';
import { operation } from '../openapi/operation.ts';

const tag = 'sessions';

const read = operation(
  {
    summary: 'List the sessions that you keep at hand',
    description: 'Ids, the one that was pinned last first.',
    tag,
    answers: { 200: pinsAnswer },
    errors: [403],
  },
  {},
);
const change = operation(
  {
    summary: 'Pin sessions, or unpin them',
    description: 'Only your own pages know of it. At most 50 are kept: of more the oldest go.',
    tag,
    answers: { 200: pinsAnswer },
    errors: [403],
  },
  { body: patchPinsRequest },
);

export const registerPins = (api: Api, { app }: ApiServices): void => {
  api.get('/pins', { schema: read }, ({ caller }) => readPins(app, caller));
  api.patch('/pins', { schema: change }, ({ caller, body }) => changePins(app, caller, body));
};
