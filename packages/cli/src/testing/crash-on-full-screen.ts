/** A program that takes the whole screen and fails there: run on a pseudo-terminal by a test. */
import { processIo } from '../io.ts';
import { createStyle } from '../output/style.ts';
import { lineOf } from '../screen/line.ts';
import { Terminal } from '../screen/terminal.ts';

const io = processIo();
const frame = () => ({ rows: [lineOf('about to fail')], length: 1, page: 1, scroll: 0 });
new Terminal(io, { style: createStyle(io.stdout, io.env), frame, onKey: () => {} }).open();
setTimeout(() => {
  throw new Error('failed on purpose');
}, 300);
