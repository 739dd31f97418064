import { createClient } from '@turnkeeper/client/create-client';

const { TURNKEEPER_URL: baseUrl = 'http://127.0.0.1:4747', TURNKEEPER_TOKEN: token } = process.env;
const client = createClient({ baseUrl, token });
const initialMessage = { message: 'What can you do?' };
const { id, turnId } = await client.sessions.create({ agent: 'guide', initialMessage }, { idempotencyKey: crypto.randomUUID() });
for await (const event of client.streamTurn(id, turnId)) console.log(event.type);
const { turn } = await client.waitForTurn(id, turnId);
console.log(turn?.outputText);
client.close();
