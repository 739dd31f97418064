/** The schema checker's thread: answers one question after the other, for as long as it is let. */
import { parentPort } from 'node:worker_threads';
import type { Json } from '@turnkeeper/core/protocol/json';
import { inputFaults, schemaFaults } from './input-schema.ts';
import type { SchemaAnswer, SchemaQuestion } from './schema-messages.ts';

const reply = (message: SchemaAnswer): void => parentPort?.postMessage(message);

const faultsOf = ({ schema, input }: SchemaQuestion): SchemaAnswer => {
  try {
    const ofSchema = schemaFaults(schema);
    reply({ kind: 'compiled' });
    if (input === undefined) return { kind: 'done', faults: ofSchema.map((detail) => ({ pointer: '', detail })) };
    return { kind: 'done', faults: inputFaults(schema, JSON.parse(input) as Json) };
  } catch (error) {
    return { kind: 'done', faults: [{ pointer: '', detail: `cannot be checked: ${error instanceof Error ? error.message : 'the schema fails'}` }] };
  }
};

parentPort?.on('message', (question: SchemaQuestion) => reply(faultsOf(question)));
// The first schema of all costs more than those that follow: that is nobody's question.
inputFaults('{"type":"object"}', {});
reply({ kind: 'ready' });
