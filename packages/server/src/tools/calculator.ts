/**
 * Built-in tool: arithmetic. Numbers, + - * / % ^, parentheses and unary signs; nothing is evaluated as code.
 */
import type { Tool } from '../ports/tool.ts';

type Token = { readonly kind: 'number'; readonly value: number } | { readonly kind: 'sign'; readonly text: string };

const tokens = (text: string): readonly Token[] => {
  const found: Token[] = [];
  const pattern = /\s*(?:(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+)|(\*\*|[-+*/%^()×÷−]))/gy;
  let at = 0;
  while (at < text.trimEnd().length) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (!match) throw new Error(`"${text.slice(at).trim().slice(0, 20)}" is not arithmetic: use numbers, + - * / % ^ and parentheses.`);
    at = pattern.lastIndex;
    found.push(match[1] === undefined ? { kind: 'sign', text: same(match[2] ?? '') } : { kind: 'number', value: Number(match[1]) });
  }
  return found;
};

const same = (sign: string): string => ({ '**': '^', '×': '*', '÷': '/', '−': '-' })[sign] ?? sign;

const deepest = 200;

/** Reads one expression by precedence: sums, products, signs, powers (to the right), numbers and parentheses. */
class Reader {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(list: readonly Token[]) {
    this.#tokens = list;
  }

  all(): number {
    const value = this.#sum();
    if (this.#at < this.#tokens.length) throw new Error('The expression goes on where an end was expected.');
    return value;
  }

  #take(...signs: readonly string[]): string | undefined {
    const token = this.#tokens[this.#at];
    if (token?.kind !== 'sign' || !signs.includes(token.text)) return undefined;
    this.#at += 1;
    return token.text;
  }

  #sum(): number {
    let value = this.#product();
    for (let sign = this.#take('+', '-'); sign; sign = this.#take('+', '-')) value = sign === '+' ? value + this.#product() : value - this.#product();
    return value;
  }

  #product(): number {
    let value = this.#signed();
    for (let sign = this.#take('*', '/', '%'); sign; sign = this.#take('*', '/', '%')) {
      const right = this.#signed();
      if (sign !== '*' && right === 0) throw new Error('Division by zero.');
      value = sign === '*' ? value * right : sign === '/' ? value / right : value % right;
    }
    return value;
  }

  #signed(): number {
    this.#depth += 1;
    if (this.#depth > deepest) throw new Error('The expression is nested too deeply.');
    const sign = this.#take('+', '-');
    const value = sign === '-' ? -this.#signed() : sign === '+' ? this.#signed() : this.#power();
    this.#depth -= 1;
    return value;
  }

  #power(): number {
    const base = this.#atom();
    return this.#take('^') ? base ** this.#signed() : base;
  }

  #atom(): number {
    const token = this.#tokens[this.#at];
    if (token?.kind === 'number') {
      this.#at += 1;
      return token.value;
    }
    if (!this.#take('(')) throw new Error('A number is missing in the expression.');
    const value = this.#sum();
    if (!this.#take(')')) throw new Error('A closing parenthesis is missing.');
    return value;
  }
}

/** The value of an arithmetic expression. Throws what is wrong with it. */
const calculate = (expression: string): number => {
  const value = new Reader(tokens(expression)).all();
  if (!Number.isFinite(value)) throw new Error('The result is not a finite number.');
  return value;
};

export const createCalculatorTool = (): Tool => ({
  spec: {
    name: 'calculator',
    description: 'Evaluates an arithmetic expression with + - * / % ^ and parentheses, e.g. "(2 + 3) * 4".',
    inputSchema: { type: 'object', properties: { expression: { type: 'string' } }, required: ['expression'], additionalProperties: false },
  },
  replaySafe: true,
  readOnly: true,
  timeoutMs: 5_000,
  run: async (input) => {
    const { expression } = input;
    if (typeof expression !== 'string' || expression.length > 1_000) throw new Error('Give `expression`: arithmetic as text, at most 1,000 characters.');
    // Twelve digits: what people expect of 0.1 + 0.2.
    return { output: [{ type: 'text', text: String(Number(calculate(expression).toPrecision(12))) }], isError: false };
  },
});
