import { describe, expect, it } from 'vitest';
import { type AnswersRequest, answersRequest } from './actions.ts';
import { agentDefinition, createAgentRequest } from './agents.ts';
import { eventsQuery, waitQuery } from './events.ts';
import { limits } from './limits.ts';
import { sessionsQuery } from './session-list.ts';
import { createSessionRequest, pageQuery, patchSessionRequest, saidInput, turnInput } from './sessions.ts';

const user = (...content: readonly unknown[]) => ({ role: 'user', content });
const text = (value: string) => ({ type: 'text', text: value });
const ok = (schema: { safeParse: (value: unknown) => { success: boolean } }, value: unknown): boolean => schema.safeParse(value).success;

describe('what is submitted', () => {
  it('is exactly one of message and input', () => {
    expect(ok(turnInput, { message: 'hi' })).toBe(true);
    expect(ok(turnInput, { input: [user(text('hi'))] })).toBe(true);
    expect(ok(turnInput, {})).toBe(false);
    expect(ok(turnInput, { message: 'hi', input: [user(text('hi'))] })).toBe(false);
  });
  it('is not blank', () => {
    for (const message of ['', ' ', '\n\t ', '\u00a0']) expect(ok(turnInput, { message }), JSON.stringify(message)).toBe(false);
    // Whether a turn may be given any JSON is its session's to say: what is no list of messages is looked at there.
    expect(ok(saidInput, { input: [] })).toBe(false);
    expect(ok(turnInput, { input: [user()] })).toBe(false);
  });
  it('holds at most 100 messages; how many attachments each has is told by the use case', () => {
    expect(ok(turnInput, { input: Array.from({ length: 100 }, () => user(text('x'))) })).toBe(true);
    expect(ok(turnInput, { input: Array.from({ length: 101 }, () => user(text('x'))) })).toBe(false);
    const files = (count: number) => Array.from({ length: count }, (_, n) => ({ type: 'file', file_id: `file_${n}` }));
    expect(ok(turnInput, { input: [user(text('x'), ...files(10))] })).toBe(true);
    expect(ok(turnInput, { input: [user(text('x'), ...files(11))] })).toBe(true);
  });
  it('is said by users only, in blocks that are known', () => {
    expect(ok(turnInput, { input: [{ role: 'assistant', content: [text('hi')] }] })).toBe(false);
    expect(ok(turnInput, { input: [user({ type: 'tool_use', id: '1', name: 'x', input: {} })] })).toBe(false);
    expect(ok(turnInput, { input: [user({ type: 'image', source: { type: 'url', url: 'https://x.example/a.png' } })] })).toBe(true);
    expect(ok(turnInput, { input: [user({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'not base64!' } })] })).toBe(false);
  });
});

describe('a new session', () => {
  const target = { type: 'agent', id: 'agt_1' };
  it('names its target once', () => {
    expect(ok(createSessionRequest, { target })).toBe(true);
    expect(ok(createSessionRequest, { agent: 'agt_1' })).toBe(true);
    expect(ok(createSessionRequest, {})).toBe(false);
    expect(ok(createSessionRequest, { target, agent: 'agt_1' })).toBe(false);
  });
  it('holds its title and its timeout to their limits', () => {
    expect(ok(createSessionRequest, { target, title: 'x'.repeat(200), timeoutSeconds: 1 })).toBe(true);
    expect(ok(createSessionRequest, { target, title: 'x'.repeat(201) })).toBe(false);
    expect(ok(createSessionRequest, { target, timeoutSeconds: 0 })).toBe(false);
    expect(ok(createSessionRequest, { target, initialMessage: { message: ' ' } })).toBe(false);
    expect(ok(patchSessionRequest, { title: 'x'.repeat(201) })).toBe(false);
  });
  it('tolerates members that it does not know', () => {
    expect(ok(createSessionRequest, { target, later: true })).toBe(true);
  });
});

describe('queries', () => {
  it('take an empty cursor as none', () => {
    expect(eventsQuery.parse({ after: '' })).toEqual({ limit: 100 });
    expect(eventsQuery.parse({ after: 's1', limit: '7' })).toEqual({ after: 's1', limit: 7 });
  });
  it('hold pages to their limits', () => {
    for (const limit of ['0', '1001', 'x', '1.5', '-1']) expect(ok(eventsQuery, { limit }), limit).toBe(false);
    expect(pageQuery.parse({})).toEqual({ offset: 0, limit: 50 });
    expect(pageQuery.parse({ limit: '100000' }).limit).toBe(limits.pageSize);
    expect(ok(pageQuery, { limit: '0' })).toBe(false);
    expect(sessionsQuery.parse({}).status).toBe('active');
    expect(ok(waitQuery, { wait: '601' })).toBe(false);
  });
});

describe('answers', () => {
  const parse = (value: unknown): AnswersRequest | undefined => answersRequest.safeParse(value).data;
  it('come one by one, or up to 100 at once', () => {
    expect(parse({ request_id: 'act_1', payload: { allow: true } })).toEqual({ request_id: 'act_1', payload: { allow: true } });
    expect(parse({ answers: [{ request_id: 'act_1' }] })).toEqual({ answers: [{ request_id: 'act_1' }] });
    expect(parse({ answers: [] })).toBeUndefined();
    expect(parse({ answers: Array.from({ length: 101 }, () => ({ request_id: 'x' })) })).toBeUndefined();
    expect(parse({})).toBeUndefined();
  });
  it('keep what older clients put beside the id', () => {
    expect(parse({ request_id: 'act_1', allow: true })).toEqual({ request_id: 'act_1', allow: true });
  });
});

describe('an agent', () => {
  const tool = { type: 'function', name: 'send', description: 'sends', inputSchema: {} };
  const definition = { system: '', model: 'demo:welcome' };
  it('needs a system text and a model, and has defaults for the rest', () => {
    expect(agentDefinition.parse(definition)).toMatchObject({ maxIters: 20, tools: [], permissionMode: 'acceptCalls' });
    expect(ok(agentDefinition, { system: '' })).toBe(false);
    expect(ok(agentDefinition, { ...definition, model: 'gpt' })).toBe(false);
  });
  it('has tools with different names that providers accept', () => {
    expect(ok(agentDefinition, { ...definition, tools: [tool] })).toBe(true);
    expect(ok(agentDefinition, { ...definition, tools: [tool, tool] })).toBe(false);
    expect(ok(agentDefinition, { ...definition, tools: [{ ...tool, name: 'with space' }] })).toBe(false);
    expect(ok(agentDefinition, { ...definition, tools: [{ ...tool, name: 'x'.repeat(65) }] })).toBe(false);
  });
  it('has a key that fits into a path', () => {
    expect(ok(createAgentRequest, { agentKey: 'my-agent', displayName: 'x', definition })).toBe(true);
    expect(ok(createAgentRequest, { agentKey: '../x', displayName: 'x', definition })).toBe(false);
  });
});
