/** A challenge that costs a visitor's machine some work, and nobody any patience. */
import { checkOptions, checkWhole, digestUtf8 } from "../../internal/index.ts";
import type { RateLimiter } from "../../limiter/index.ts";
import {
  alarm,
  type Clock,
  type Decision,
  display,
  type Limits,
  MINUTE,
  type Mode,
  systemClock,
} from "../../limits/core/index.ts";
import { networkOf } from "./addresses.ts";
import { KeyRing, type SigningKeys } from "./key-ring.ts";
import { Stamps } from "./stamps.ts";
import { randomId } from "./web-crypto.ts";

/** Settings of `ProofOfWork`. */
export type ProofOfWorkOptions = {
  /** The secrets by which challenges are signed. */
  readonly keys: SigningKeys;
  /** Leading zero bits of a solution's digest, 1 to 40: it takes 2 to that power tries on average. Default: 17. */
  readonly bits?: number;
  /** Returns the time. Default: the machine's clock. */
  readonly clock?: Clock;
};

/** Milliseconds in which a challenge has to be solved, and by which clocks may differ. */
const TIMES = { maxAge: 2 * MINUTE, skew: MINUTE };

/** A challenge is shorter, and nobody needs as many tries as would make a solution longer. Characters. */
const LONGEST = 256;

/** For longer than a challenge can be right, the same one is not right again: where nobody knows, none is. */
const ONCE = {
  kind: "token bucket",
  rate: 1,
  period: 5 * MINUTE,
  capacity: 1,
  whenUnavailable: "closed",
} as const;

/**
 * Makes challenges, and knows their solutions: texts whose SHA-256 over UTF-8 begins with zero bits.
 *
 * A challenge holds for two minutes, in the network that it was made for, and once: the limiter keeps which are spent.
 * It makes ids costly for those who want thousands. It does not say that there is a person.
 */
export class ProofOfWork {
  readonly #limiter: RateLimiter<Limits, Mode>;
  readonly #stamps: Stamps;
  readonly #bits: number;

  /** @throws SpillwayError `bad-option`, `unknown-field` */
  constructor(limiter: RateLimiter<Limits, Mode>, options: ProofOfWorkOptions) {
    checkOptions("ProofOfWork", options, ["keys", "bits", "clock"]);
    const { keys, bits = 17, clock = systemClock } = options;
    checkWhole("bits", bits, { most: 40 });
    this.#limiter = limiter;
    this.#bits = bits;
    this.#stamps = new Stamps(new KeyRing("spillway challenge", keys, clock), { ...TIMES, clock });
  }

  /** A challenge for whoever asks from an address: text for `solve`. */
  challenge(address: string): Promise<string> {
    const text = `${this.#bits}.${randomId()}`;
    return this.#stamps.stamp({ text, context: networkOf(address) });
  }

  /**
   * Whether a solution is right, for the first time: while the store gives no answer, none is. As the
   * `challenge` of `Visitors`.
   */
  readonly verify = async (
    solution: string,
    { address }: { readonly address: string },
  ): Promise<boolean> => {
    // Before it is hashed: that takes a time that grows with it. A body may hold something else than text.
    if (typeof solution !== "string" || solution.length > LONGEST) return false;
    const challenge = solution.slice(0, solution.lastIndexOf("~"));
    const text = await this.#stamps.read(challenge, () => networkOf(address));
    if (text === undefined || !isSolved(solution, Number.parseInt(text, 10))) return false;
    const asked = { key: text, config: ONCE } as const;
    const spent: Decision = await this.#limiter.limit("spent challenges", asked);
    return spent.ok;
  };
}

/** Tries in one turn of the event loop: some milliseconds. */
const TRIES = 2000;

/**
 * Solves a challenge of `ProofOfWork`, in a browser or anywhere else. The page stays usable meanwhile. In another
 * language: a text of at most 256 characters, of the challenge, "~" and characters of your choice without "~", whose
 * SHA-256 over UTF-8 begins with as many zero bits as the challenge's third part says.
 *
 * @returns The solution; rejects with a `SyntaxError` for what is no challenge.
 */
export async function solve(challenge: string): Promise<string> {
  const bits = Number(/^[\w-]+\.[\da-z]+\.(\d{1,2})\./.exec(challenge)?.[1]);
  if (!(bits >= 1 && bits <= 40)) throw new SyntaxError(`no challenge: ${display(challenge)}`);
  for (let nonce = 0; ; nonce++) {
    const solution = `${challenge}~${nonce.toString(36)}`;
    if (isSolved(solution, bits)) return solution;
    if (nonce % TRIES === TRIES - 1) await new Promise<void>((resolve) => void alarm(0, resolve));
  }
}

/** Whether the first bits of a digest are zero, of 40 at most. */
function isSolved(solution: string, bits: number): boolean {
  return Number.parseInt(digestUtf8(solution).slice(0, 10), 16) < 2 ** (40 - bits);
}
