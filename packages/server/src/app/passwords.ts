/**
 * Passwords: made into what is kept, and compared with it.
 *
 * PW1 What is kept is a scrypt hash with a salt of its own; its parameters stand beside it, so that raising them leaves
 *     those that were kept before valid.
 * PW2 A password costs the same work whether there is one to compare it with or not: names cannot be told by time.
 * PW3 At most `mostAtOnce` are worked on at once: each takes a thread and 32 MB, which reads and writes of the store need too.
 */
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';

const keyBytes = 32;
const saltBytes = 16;
const cost = { N: 2 ** 15, r: 8, p: 1 } as const;
const mostAtOnce = 2;

/** `scrypt$<N>$<r>$<p>$<salt>$<hash>`, both in base64url. */
const keptForm = /^scrypt\$(\d{1,8})\$(\d{1,3})\$(\d{1,3})\$([\w-]{22,})\$([\w-]{43,})$/;

type Cost = Required<Pick<ScryptOptions, 'N' | 'r' | 'p'>>;

const derive = (password: string, salt: Buffer, { N, r, p }: Cost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    // Typed on another keyboard, the same letters may come in other code points.
    scrypt(password.normalize('NFKC'), salt, keyBytes, { N, r, p, maxmem: 256 * N * r }, (error, key) => (error ? reject(error) : resolve(key)));
  });

/** The passwords of a process: there is one of these. */
export class Passwords {
  readonly #nobodysSalt = randomBytes(saltBytes);
  readonly #waiting: (() => void)[] = [];
  #working = 0;

  /** What is kept of a password. */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(saltBytes);
    const key = await this.#inTurn(() => derive(password, salt, cost));
    return `scrypt$${cost.N}$${cost.r}$${cost.p}$${salt.toString('base64url')}$${key.toString('base64url')}`;
  }

  /** Whether this is the password that was kept; `null` = there is none, which takes as long to find out (PW2). */
  async matches(password: string, kept: string | null): Promise<boolean> {
    const [, N, r, p, salt = '', hash = ''] = keptForm.exec(kept ?? '') ?? [];
    if (hash === '') {
      await this.#inTurn(() => derive(password, this.#nobodysSalt, cost));
      return false;
    }
    const wanted = Buffer.from(hash, 'base64url');
    const given = await this.#inTurn(() => derive(password, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) }));
    return wanted.length === given.length && timingSafeEqual(wanted, given);
  }

  /** PW3 */
  async #inTurn<Of>(work: () => Promise<Of>): Promise<Of> {
    if (this.#working < mostAtOnce) this.#working += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      // Its place goes to the next one, or is free.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#working -= 1;
    }
  }
}
