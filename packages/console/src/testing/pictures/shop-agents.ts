/** Who works in the shop of the pictures, and the process that an order goes through. */
import type { Client } from '@turnkeeper/client/create-client';

type Worker = 'support' | 'analyst' | 'engineer' | 'writer';
export type Workers = Readonly<Record<Worker, string>>;

const schema = (...names: readonly string[]) => ({ type: 'object', properties: Object.fromEntries(names.map((name) => [name, {}])) });

const toolsOf = (url: string) => ({
  find_order: {
    ...{ type: 'http', name: 'find_order', description: 'Finds an order by its number.', readOnly: true, inputSchema: schema('order') },
    request: { method: 'GET', url: `${url}/orders/{{input.order}}` },
  },
  refund: {
    ...{ type: 'http', name: 'refund', description: 'Pays an order back.', destructive: true, inputSchema: schema('order', 'amount', 'reason', 'notify') },
    request: { method: 'POST', url: `${url}/refunds`, body: '{{input}}' },
  },
  response_times: {
    ...{ type: 'http', name: 'response_times', description: 'How long a page took.', readOnly: true, inputSchema: schema('page', 'hours') },
    request: { method: 'GET', url: `${url}/times?page={{input.page}}` },
  },
  list_releases: {
    ...{ type: 'http', name: 'list_releases', description: 'What was released.', readOnly: true, inputSchema: schema('days') },
    request: { method: 'GET', url: `${url}/releases?days={{input.days}}` },
  },
  read_log: {
    ...{ type: 'http', name: 'read_log', description: 'The newest lines of a log.', readOnly: true, inputSchema: schema('service', 'lines') },
    request: { method: 'GET', url: `${url}/log?service={{input.service}}` },
  },
});

export const hireWorkers = async (client: Client, url: string): Promise<Workers> => {
  const tools = toolsOf(url);
  const hire = async (agentKey: string, description: string, model: string, own: readonly object[]): Promise<string> => {
    const definition = { system: `You are the ${agentKey} of a bookshop. ${description}`, model: `studio:${model}`, tools: own };
    const displayName = `${agentKey[0]?.toUpperCase()}${agentKey.slice(1)}`;
    return (await client.agents.create({ agentKey, displayName, description, definition: definition as never })).agent.id;
  };
  const calculator = { type: 'builtin', name: 'calculator' };
  return {
    support: await hire('support', 'Answers customers and pays back.', 'small', [tools.find_order, tools.refund]),
    analyst: await hire('analyst', 'Reads the figures.', 'large', [calculator]),
    engineer: await hire('engineer', 'Looks after the web shop.', 'large', [tools.response_times, tools.list_releases, tools.read_log, calculator]),
    writer: await hire('writer', 'Writes in the voice of the house.', 'small', [{ type: 'builtin', name: 'ask_user' }]),
  };
};

/** A team that answers together, and a workflow that waits for people, payments and time. */
export const organise = async (client: Client, { writer, analyst, support }: Workers) => {
  const { team } = await client.teams.create({
    name: 'Catalogue desk',
    description: 'Finds out what is true about a book.',
    leader: { agentId: writer },
    members: [
      { name: 'finder', agentId: analyst, role: 'Finds sources, and quotes them.', timeoutSeconds: 120 },
      { name: 'checker', agentId: support, role: 'Says which claims hold.', timeoutSeconds: 120 },
    ],
    maxParallel: 4,
  });
  const { workflow } = await client.workflows.create({
    name: 'Order',
    draftSpec: {
      nodes: [
        { key: 'check', type: 'agent', name: 'Check the stock', agentId: support, input: { message: "'Is the ' + run.input.article + ' in stock?'" } },
        { key: 'paid', type: 'signal', name: 'Payment', signalName: 'payment' },
        { key: 'late', type: 'timer', name: 'A day', timer: { durationSeconds: 86_400 } },
        { key: 'first', type: 'join', name: 'Whichever is first', join: { mode: 'any' } },
        { key: 'was', type: 'condition', name: 'Paid?', condition: "nodes.paid.status == 'succeeded'" },
        {
          key: 'ship',
          type: 'approval',
          name: 'Ship it',
          approval: { approverRef: 'role:admin', prompt: 'Ship the {{ run.input.article }} to {{ run.input.to }}?' },
        },
        { key: 'remind', type: 'agent', name: 'Remind', agentId: writer, input: { message: "'Remind the buyer of ' + run.input.article" } },
      ],
      edges: [
        { from: 'check', to: 'paid' },
        { from: 'check', to: 'late' },
        { from: 'paid', to: 'first' },
        { from: 'late', to: 'first' },
        { from: 'first', to: 'was' },
        { from: 'was', to: 'ship' },
        { from: 'was', to: 'remind', condition: '!nodes.was.output' },
      ],
    },
  });
  await client.workflows.publish(workflow.id, workflow.version);
  return { team: team.id, workflow: workflow.id };
};
