/** A process whose wall clock is off by `CLOCK_OFFSET_MS`, as that of a badly kept machine is. */
const offsetMs = Number(process.env['CLOCK_OFFSET_MS'] ?? 0);
const right = Date.now.bind(Date);
if (offsetMs !== 0) Date.now = () => right() + offsetMs;
