/**
 * One-dimensional arrays in PostgreSQL's binary format: no quoting here and no parsing there, which for event data
 * (JSON text, full of quotes) is most of what a text array costs.
 */

const int4Oid = 23;
const int8Oid = 20;
const textOid = 25;

const headerBytes = 20;

const writeHeader = (buffer: Buffer, oid: number, length: number, hasNulls: boolean): void => {
  buffer.writeInt32BE(1, 0);
  buffer.writeInt32BE(hasNulls ? 1 : 0, 4);
  buffer.writeInt32BE(oid, 8);
  buffer.writeInt32BE(length, 12);
  buffer.writeInt32BE(1, 16);
};

const emptyArray = (oid: number): Buffer => {
  const buffer = Buffer.alloc(12);
  buffer.writeInt32BE(oid, 8);
  return buffer;
};

export const int4Array = (values: readonly number[]): Buffer => {
  if (values.length === 0) return emptyArray(int4Oid);
  const buffer = Buffer.allocUnsafe(headerBytes + values.length * 8);
  writeHeader(buffer, int4Oid, values.length, false);
  let at = headerBytes;
  for (const value of values) {
    at = buffer.writeInt32BE(4, at);
    at = buffer.writeInt32BE(value, at);
  }
  return buffer;
};

/** For safe integers; null is SQL's. */
export const int8Array = (values: readonly (number | null)[]): Buffer => {
  if (values.length === 0) return emptyArray(int8Oid);
  const buffer = Buffer.allocUnsafe(headerBytes + values.length * 12);
  let hasNulls = false;
  let at = headerBytes;
  for (const value of values) {
    if (value === null) {
      hasNulls = true;
      at = buffer.writeInt32BE(-1, at);
      continue;
    }
    at = buffer.writeInt32BE(8, at);
    at = buffer.writeInt32BE(Math.floor(value / 0x1_0000_0000), at);
    at = buffer.writeUInt32BE(value >>> 0, at);
  }
  writeHeader(buffer, int8Oid, values.length, hasNulls);
  return buffer.subarray(0, at);
};

export const textArray = (values: readonly (string | null)[]): Buffer => {
  if (values.length === 0) return emptyArray(textOid);
  let size = headerBytes + values.length * 4;
  for (const value of values) size += value === null ? 0 : Buffer.byteLength(value);
  const buffer = Buffer.allocUnsafe(size);
  let hasNulls = false;
  let at = headerBytes;
  for (const value of values) {
    if (value === null) {
      hasNulls = true;
      at = buffer.writeInt32BE(-1, at);
      continue;
    }
    const bytes = buffer.write(value, at + 4);
    buffer.writeInt32BE(bytes, at);
    at += 4 + bytes;
  }
  writeHeader(buffer, textOid, values.length, hasNulls);
  return buffer;
};
