/** Forms, approvals and signals: AQ1, AQ2, S18, S23. */
import { describe, expect, it } from 'vitest';
import { textOf } from '../../protocol/text-of.ts';
import {
  action,
  allow,
  answer,
  answered,
  asking,
  asks,
  call,
  expire,
  external,
  inquiring,
  modelDone,
  question,
  result,
  start,
  submit,
  to,
  turn,
} from '../../testing/commands.ts';
import { given } from '../../testing/given.ts';
import type { AnswerPayload } from '../commands.ts';
import type { Inquiry } from '../inquiry.ts';
import { dueAt } from '../pending-work.ts';

const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false } as const;
const form: Inquiry = { kind: 'form', form: { title: 'Where to?', schema } };
const approval: Inquiry = { kind: 'approval', prompt: 'Pay 900?' };
const signal: Inquiry = { kind: 'signal', signalName: 'parcel.arrived' };
const first = action('a', 1);
const opened = (inquiry: Inquiry, more = {}) => [submit('a'), start(), modelDone('', call('c1', { ...inquiring(inquiry), ...more }))];

describe('an inquiry', () => {
  it.each([
    [
      form,
      {
        kind: 'form',
        prompt: 'Where to?',
        form: form.form,
        answer_schema: { type: 'object', required: ['submitted'], properties: { submitted: { type: 'boolean' }, values: schema } },
      },
    ],
    [approval, { kind: 'approval', prompt: 'Pay 900?', approver: 'role:approver', role_of: 'app:shop' }],
    [signal, { kind: 'signal', signal_name: 'parcel.arrived', answer_schema: {} }],
  ] as const)('opens its action and parks the turn: %o', (inquiry, wanted) => {
    given(submit('a'), start())
      .when(modelDone('', call('c1', { ...inquiring(inquiry), ...(inquiry === approval ? { approver: 'role:approver', roleOf: 'app:shop' } : {}) })))
      .thenEvent('required_action.created', { request_id: first, tool_call: { id: 'c1', name: 'tool_c1', input: { id: 'c1' } }, ...(wanted as object) })
      .thenLive({ status: 'requires_action' });
  });

  const table: readonly (readonly [Inquiry, AnswerPayload, 'answered' | 'denied', 'success' | 'denied', string])[] = [
    [form, { kind: 'form', submitted: true, values: { city: 'Rome' } }, 'answered', 'success', '{"submitted":true,"values":{"city":"Rome"}}'],
    [form, { kind: 'form', submitted: false }, 'denied', 'denied', 'declined'],
    [approval, { kind: 'approval', approved: true }, 'answered', 'success', '{"decision":"approved"}'],
    [approval, { kind: 'approval', approved: true, reason: 'fine' }, 'answered', 'success', '{"decision":"approved","reason":"fine"}'],
    [approval, { kind: 'approval', approved: false, reason: 'too dear' }, 'denied', 'denied', 'Rejected: too dear'],
    [signal, { kind: 'signal', payload: [1, null] }, 'answered', 'success', '[1,null]'],
  ];
  it.each(table)('%o answered %o resolves as %s, and is told to the model as %s', (inquiry, payload, resolution, status, said) => {
    given(...opened(inquiry))
      .when(answer('a', to(first, payload)))
      .thenEvent('required_action.resolved', { request_id: first, resolution, resolved_by: 'user:ann', tool_call_id: 'c1' })
      .thenEvent('turn.queued', { reason: 'answered' })
      .thenState(() => {})
      .story()
      .events.forEach((event) => {
        if (event.type !== 'tool.completed') return;
        expect(event.data.status).toBe(status);
        expect(JSON.stringify(event.data.result.output)).toContain(JSON.stringify(said).slice(1, -1));
      });
  });

  it('takes no answer of another kind', () => {
    for (const inquiry of [form, approval, signal])
      given(...opened(inquiry))
        .when(answer('a', to(first, allow)))
        .thenRefused('validation_failed', { kind: inquiry.kind });
    given(...opened(form))
      .when(answer('a', { ...to(first, { kind: 'form', submitted: false }), expectedVersion: 2 }))
      .thenRefused('action_version_conflict', { version: 1 });
  });

  it('is never dispatched, and costs nothing while it waits', () => {
    const { state } = given(...opened(signal)).story;
    expect(dueAt(state)).toBeNull();
  });

  it('is answered together with others, all or none (S18)', () => {
    const calls = [call('c1', inquiring(form)), call('c2', inquiring(signal)), call('c3', asks), call('c4', asking(question('size')))];
    const parked = [submit('a'), start(), modelDone('', ...calls)];
    const answers = [
      to(action('a', 1), { kind: 'form', submitted: true, values: { city: 'Rome' } } as const),
      to(action('a', 2), { kind: 'signal', payload: 1 } as const),
      to(action('a', 3), { kind: 'confirmation', allow: true, remember: 'session', input: { edited: true } } as const),
    ];
    given(...parked)
      .when(answer('a', ...answers, { ...to(action('a', 4), answered()), expectedVersion: 2 }))
      .thenRefused('action_version_conflict');
    given(...parked)
      .when(answer('a', ...answers, to(action('a', 4), answered())))
      .thenEvent('required_action.resolved', { request_id: action('a', 3), remembered_tool: 'tool_c3', input: { edited: true } })
      .thenLive({ openActions: [], status: 'queued' })
      .thenState((state) => expect(state.allowedTools).toEqual(['tool_c3']));
  });
});

describe('AQ2: what nobody answered in time', () => {
  const expired = (more: object, otherwise?: unknown) => {
    const wish = { ...expire(first, 9_000), ...(otherwise === undefined ? {} : { otherwise }) } as ReturnType<typeof expire>;
    const { events } = given(submit('a'), start(), modelDone('', call('c1', { expiresAt: 9_000, ...more })))
      .when(wish)
      .story();
    const done = events.findLast((event) => event.type === 'tool.completed');
    const closed = events.findLast((event) => event.type === 'required_action.resolved');
    return [closed?.data.resolution, done?.data.status, textOf(done?.data.result.output ?? [])];
  };

  it('is denied, or is told to be missing, by its kind', () => {
    for (const more of [asks, external, asking(question('size')), inquiring(form), inquiring(approval)])
      expect(expired(more)).toEqual(['expired', 'denied', 'Nobody answered in time.']);
    expect(expired(inquiring(signal))).toEqual(['expired', 'error', 'The signal did not come in time.']);
  });

  it('is what the tool says stands in for it, but is never an approval', () => {
    for (const more of [external, asking(question('size')), inquiring(form), inquiring(signal)])
      expect(expired(more, { city: 'home' })).toEqual(['expired', 'success', '{"city":"home"}']);
    for (const more of [asks, inquiring(approval)]) expect(expired(more, { allow: true })).toEqual(['expired', 'denied', 'Nobody answered in time.']);
  });

  it('is not answered any more', () => {
    given(submit('a'), start(), modelDone('', call('c1', { ...external, expiresAt: 9_000 })))
      .when({ ...answer('a', to(first, result())), at: 9_000 })
      .thenRefused('action_resolved', { expired: true });
    expect(turn('a')).toBe('turn_a');
  });
});
