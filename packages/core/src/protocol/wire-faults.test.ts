import { describe, expect, it } from 'vitest';
import { limits } from './wire/limits.ts';
import { mostFaults, wireFaults } from './wire-faults.ts';

const faultsOf = (text: string): readonly (readonly string[])[] => wireFaults(JSON.parse(text)).map(({ pointer, detail }) => [pointer, detail]);

describe('what cannot be kept', () => {
  it('F2: a member named __proto__, however it is written and wherever it is', () => {
    for (const name of ['__proto__', '\\u005f_proto__', '\\u005f\\u005fpr\\u006fto__']) {
      expect(faultsOf(`{"${name}":{"x":1}}`)).toEqual([['', "a member's name must not be __proto__"]]);
      expect(faultsOf(`{"a":[{"${name}":1}]}`)).toEqual([['/a/0', "a member's name must not be __proto__"]]);
    }
    expect(faultsOf('{"a":"__proto__","proto":1,"constructor":2}')).toEqual([]);
  });

  it('what is inside such a member counts too', () => {
    expect(faultsOf('{"__proto__":{"x":"\\u0000"}}').map(([pointer]) => pointer)).toEqual(['', '/__proto__/x']);
  });

  it('NUL, half pairs, numbers out of range, and endless nesting', () => {
    expect(faultsOf('["\\u0000","\\ud800",1e999,{"\\udc00":1}]').map(([pointer]) => pointer)).toEqual(['/0', '/1', '/2', '/3']);
    expect(faultsOf(`${'['.repeat(limits.jsonDepth + 1)}${']'.repeat(limits.jsonDepth + 1)}`)).toHaveLength(1);
    expect(wireFaults(new Array(1_000).fill('\0'))).toHaveLength(mostFaults);
  });

  it('F3: more values than are looked at, however they are nested', () => {
    const values = limits.jsonNodes;
    expect(wireFaults(new Array(values - 1).fill(1))).toEqual([]);
    const faults = [{ pointer: '', detail: `must not hold more than ${values} values in all` }];
    expect(wireFaults(new Array(values).fill(1))).toEqual(faults);
    expect(wireFaults({ a: new Array(values / 2).fill([{}]) })).toEqual(faults);
    expect(wireFaults(Object.fromEntries(Array.from({ length: values }, (_, n) => [`m${n}`, n])))).toEqual(faults);
  });

  it('is pointed at in few words, however long the names are', () => {
    const faults = wireFaults({ ['n'.repeat(1_000_000)]: new Array(1_000).fill('\0') });
    expect(faults).toHaveLength(mostFaults);
    expect(JSON.stringify(faults).length).toBeLessThan(100_000);
  });
});
