/** Verifies JSON Web Tokens (RFC 7519) by the keys of their providers. */
import { errors, type JWTPayload, jwtVerify } from "jose";
import type { Clock } from "spillway/core";
import type { JwtProvider } from "../../rules/index.ts";
import { KeySet } from "./key-set.ts";
import { readJwks } from "./read-jwks.ts";

/** The maximum number of sets of keys. Those of replaced rules stay until others displace them. */
const MOST_SETS = 100;

/** The maximum number of characters of a token: a server's bound for all headers. */
const LONGEST_TOKEN = 16_384;

/** The claims of a token, or why it does not verify. */
export type TokenResult = {
  readonly claims: JWTPayload | undefined;
  readonly why: string | undefined;
};

export class TokenVerifier {
  readonly #clock: Clock;
  /** By where they are, so that rules that are read again use the same. */
  readonly #sets = new Map<string, KeySet>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Verifies a token.
   *
   * @throws RequestError `no-keys` if the keys that could verify it are not known.
   */
  async claimsOf(token: string, provider: JwtProvider): Promise<TokenResult> {
    if (token.length > LONGEST_TOKEN) return { claims: undefined, why: "it is too long" };
    const { issuer, audiences, algorithms, skew } = provider;
    const keys = this.#keysOf(provider);
    const began = this.#clock();
    try {
      const { payload } = await jwtVerify(token, (header) => keys.find(header, began), {
        issuer,
        ...(audiences !== undefined && { audience: [...audiences] }),
        algorithms: [...algorithms],
        clockTolerance: skew,
        currentDate: new Date(began),
      });
      return { claims: payload, why: undefined };
    } catch (error) {
      if (isOfToken(error)) return { claims: undefined, why: error.message };
      throw error;
    }
  }

  #keysOf({ jwks }: JwtProvider): KeySet {
    const place = JSON.stringify(jwks);
    const known =
      this.#sets.get(place) ?? new KeySet({ read: () => readJwks(jwks), clock: this.#clock });
    this.#sets.delete(place);
    this.#sets.set(place, known);
    const [oldest] = this.#sets.keys();
    if (this.#sets.size > MOST_SETS && oldest !== undefined) this.#sets.delete(oldest);
    return known;
  }
}

/** Whether a token is the cause of an error. `TypeError` is thrown for keys that do not fit. */
function isOfToken(error: unknown): error is Error {
  return error instanceof errors.JOSEError || error instanceof TypeError;
}
