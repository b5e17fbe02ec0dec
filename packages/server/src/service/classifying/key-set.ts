/** The public keys of a provider of tokens, kept and read again. */
import { createLocalJWKSet, errors, type JWTHeaderParameters } from "jose";
import { type Clock, MINUTE, SECOND } from "spillway/core";
import { RequestError } from "../request-error.ts";

type Finder = ReturnType<typeof createLocalJWKSet>;

/** Milliseconds after which keys are read again, beside requests, which use those known. */
const FRESH = 10 * MINUTE;

/** The least milliseconds between two reads: tokens must not make a flood of them. */
const PAUSE = 5 * SECOND;

/** The maximum number of keys: each one that has no id is tried. */
const MOST_KEYS = 100;

export type KeySetOptions = {
  /** Reads the set as JSON. It rejects within seconds if there is none. */
  readonly read: () => Promise<string>;
  readonly clock: Clock;
};

/**
 * Keys that are read when they are first needed, again when a token names an unknown one, and at
 * times. While they can't be read, those read before stay in use.
 */
export class KeySet {
  readonly #options: KeySetOptions;
  #finder: Finder | undefined;
  /** When the last read began, and the last one that succeeded. */
  #triedAt = Number.NEGATIVE_INFINITY;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;

  constructor(options: KeySetOptions) {
    this.#options = options;
  }

  /**
   * Returns the key that a token's header names, for a request that came at `began`.
   *
   * An unknown key could be a new one. Only keys that were read since the request came show that
   * it is none; otherwise the limits that a valid token leads to would be passed by.
   *
   * @throws JOSEError if there is no such key; RequestError `no-keys` if that is not known.
   */
  async find(header: JWTHeaderParameters, began: number): Promise<Awaited<ReturnType<Finder>>> {
    const isOld = this.#options.clock() - this.#readAt > FRESH;
    if (this.#finder === undefined) await this.#read();
    else if (isOld) void this.#read();
    if (this.#finder === undefined) throw noKeys();
    try {
      return await this.#finder(header);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
    }
    await this.#read();
    if (this.#readAt < began) throw noKeys();
    return this.#finder(header);
  }

  /** Reads the keys, unless that was tried just before. */
  #read(): Promise<void> {
    if (this.#reading !== undefined) return this.#reading;
    const now = this.#options.clock();
    if (Math.abs(now - this.#triedAt) < PAUSE) return Promise.resolve();
    this.#triedAt = now;
    this.#reading = this.#readFrom(now).finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readFrom(now: number): Promise<void> {
    try {
      this.#finder = finderOf(await this.#options.read());
      this.#readAt = now;
    } catch {
      // Requests that need the keys report it.
    }
  }
}

function finderOf(text: string): Finder {
  const jwks = JSON.parse(text);
  const { keys } = jwks;
  if (!Array.isArray(keys) || keys.length > MOST_KEYS) throw new Error("no set of keys");
  return createLocalJWKSet(jwks);
}

function noKeys(): RequestError {
  const detail =
    "Found no keys that could verify the token, expected those of its provider; try again. Can " +
    "this machine read jwks_uri or jwks_file of the rules?";
  const headers = { "retry-after": String(PAUSE / SECOND) };
  return new RequestError({ status: 503, code: "no-keys", detail, headers });
}
