/** A challenge that costs the visitor's machine some work, but the visitor nothing. */
import { checkOptions, checkWhole, digestUtf8 } from "../../internal/index.ts";
import type { RateLimiter } from "../../limiter/index.ts";
import {
  alarm,
  type Clock,
  checkedClock,
  type Decision,
  display,
  type Limits,
  MINUTE,
  systemClock,
  type Timing,
} from "../../limits/core/index.ts";
import { networkOf } from "./addresses.ts";
import { KeyRing, type SigningKeys } from "./key-ring.ts";
import { Stamps } from "./stamps.ts";
import { randomId } from "./web-crypto.ts";

/** Options of `ProofOfWork`. */
export type ProofOfWorkOptions = {
  /** The secrets that sign challenges. */
  readonly keys: SigningKeys;
  /**
   * The leading zero bits of a solution's digest, 1 to 40. A solution takes 2^bits tries on
   * average. Default: 17.
   */
  readonly bits?: number;
  /** Returns the time. Default: the machine's clock. */
  readonly clock?: Clock;
};

/** How long a challenge is valid, and by how much clocks may differ, in milliseconds. */
const TIMES = { maxAge: 2 * MINUTE, skew: MINUTE };

/**
 * The longest solution, in characters. Challenges are shorter, and no solver needs a number of
 * tries that long.
 */
const LONGEST = 256;

/**
 * Admits a challenge once, and refuses it again for longer than it is valid.
 *
 * If the store is unavailable, no challenge is admitted.
 */
const ONCE = {
  kind: "token bucket",
  rate: 1,
  period: 5 * MINUTE,
  capacity: 1,
  whenUnavailable: "closed",
} as const;

/**
 * Creates challenges and checks their solutions: texts whose SHA-256 over UTF-8 begins with zero
 * bits.
 *
 * A challenge is valid for two minutes, in the network that it was created for, and once: the
 * limiter records spent ones. It makes ids expensive for a client that wants thousands. It does not
 * show that the client is a person.
 */
export class ProofOfWork {
  readonly #limiter: RateLimiter<Limits, Timing>;
  readonly #stamps: Stamps;
  readonly #bits: number;

  /**
   * Checks the options and adds defaults.
   *
   * @throws SpillwayError `bad-option`, `bad-clock`, `unknown-field`
   */
  constructor(limiter: RateLimiter<Limits, Timing>, options: ProofOfWorkOptions) {
    checkOptions("ProofOfWork", options, ["keys", "bits", "clock"]);
    const { keys, bits = 17 } = options;
    checkWhole("bits", bits, { most: 40 });
    const clock = checkedClock(options.clock ?? systemClock);
    this.#limiter = limiter;
    this.#bits = bits;
    this.#stamps = new Stamps(new KeyRing("spillway challenge", keys, clock), { ...TIMES, clock });
  }

  /** Creates a challenge for a client with this address: a text for `solve`. */
  challenge(address: string): Promise<string> {
    const text = `${this.#bits}.${randomId()}`;
    return this.#stamps.stamp({ text, context: networkOf(address) });
  }

  /**
   * Whether a solution is right and was not used before. While the store is unavailable, none is
   * accepted.
   *
   * Pass it as the `challenge` of `Visitors`.
   */
  readonly verify = async (
    solution: string,
    { address }: { readonly address: string },
  ): Promise<boolean> => {
    // Checked before hashing, whose time grows with the length. A body may contain something other
    // than text.
    if (typeof solution !== "string" || solution.length > LONGEST) return false;
    const challenge = solution.slice(0, solution.lastIndexOf("~"));
    const text = await this.#stamps.read(challenge, () => networkOf(address));
    if (text === undefined || !isSolved(solution, Number.parseInt(text, 10))) return false;
    const asked = { key: text, config: ONCE } as const;
    const spent: Decision = await this.#limiter.limit("spent challenges", asked);
    return spent.ok;
  };
}

/** Tries in one turn of the event loop. They take some milliseconds. */
const TRIES = 2000;

/**
 * Solves a challenge of `ProofOfWork`, in a browser or elsewhere. The page stays responsive.
 *
 * To solve one in another language, append "~" and any characters without "~" to the challenge, up
 * to 256 characters in total. The SHA-256 of the text over UTF-8 must begin with as many zero bits
 * as the third part of the challenge.
 *
 * @returns The solution. Rejects with a `SyntaxError` if the text is not a challenge.
 */
export async function solve(challenge: string): Promise<string> {
  const bits = Number(/^[\w-]+\.[\da-z]+\.(\d{1,2})\./.exec(challenge)?.[1]);
  if (!(bits >= 1 && bits <= 40)) throw new SyntaxError(`not a challenge: ${display(challenge)}`);
  for (let nonce = 0; ; nonce++) {
    const solution = `${challenge}~${nonce.toString(36)}`;
    if (isSolved(solution, bits)) return solution;
    if (nonce % TRIES === TRIES - 1) await new Promise<void>((resolve) => void alarm(0, resolve));
  }
}

/** Whether the first `bits` bits of the digest are zero; `bits` is at most 40. */
function isSolved(solution: string, bits: number): boolean {
  return Number.parseInt(digestUtf8(solution).slice(0, 10), 16) < 2 ** (40 - bits);
}
