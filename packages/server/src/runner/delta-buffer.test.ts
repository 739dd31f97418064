import { expect, it } from 'vitest';
import { DeltaBuffer } from './delta-buffer.ts';

it('what has gathered comes in deltas below 64 KB, with their positions, and no character is split', () => {
  const buffer = new DeltaBuffer();
  const text = `a${'😀'.repeat(30_000)}`;
  buffer.push({ type: 'text', text });
  buffer.push({ type: 'tool_use', id: 'c', name: 'note', content: '' });
  buffer.push({ type: 'tool_use', id: 'c', content: '\u0001'.repeat(25_000) });
  buffer.push({ type: 'text', text: 'end' });
  const deltas = buffer.take();
  expect(buffer.empty).toBe(true);
  let position = 0;
  const said = { text: '', content: '' };
  const names: unknown[] = [];
  for (const delta of deltas) {
    expect(delta.position).toBe(position);
    expect(Buffer.byteLength(JSON.stringify(delta))).toBeLessThan(64 * 1024);
    for (const block of delta.content) {
      const piece = block.type === 'text' ? block.text : block.content;
      expect(piece.isWellFormed()).toBe(true);
      position += piece.length;
      if (block.type === 'text') said.text += piece;
      else said.content += piece;
      if ('name' in block) names.push(block.name);
    }
  }
  expect(said).toEqual({ text: `${text}end`, content: '\u0001'.repeat(25_000) });
  expect(names).toEqual(['note']);
  buffer.push({ type: 'text', text: '!' });
  expect(buffer.take()).toEqual([{ position, content: [{ type: 'text', text: '!' }] }]);
});
