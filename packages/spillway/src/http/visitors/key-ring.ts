/** Signs and verifies texts with secrets that rotate. */
import { abandon, badObject, badOption } from "../../internal/index.ts";
import { type Clock, SpillwayError } from "../../limits/core/index.ts";
import { type HmacKey, hmacKey, isMac, lengthOf, macOf } from "./web-crypto.ts";

/** A secret, and the instant until which its signatures are valid. */
export type SigningKey = {
  /** The public name of the secret: 1 to 32 letters, digits, `_` and `-`. */
  readonly id: string;
  /** At least 32 unguessable bytes, such as 64 random hexadecimal digits. */
  readonly secret: string | Uint8Array;
  /**
   * The instant after which it signs and verifies nothing, in milliseconds since 1970. Default:
   * never.
   */
  readonly until?: number;
};

/**
 * The first key that has not ended signs. All keys that have not ended verify. A function may
 * return other keys over time.
 */
export type SigningKeys = readonly SigningKey[] | (() => readonly SigningKey[]);

const LEAST_BYTES = 32;
const NAME = /^[\w-]{1,32}$/;

/** The name of the key, a text and its code. */
const TOKEN = /^([\w-]{1,32})\.(.{1,100})\.([\w-]{43})$/;
const LONGEST_TOKEN = 200;

/**
 * The maximum number of imported keys in the cache, enough for any rotation. The cache is cleared
 * when it is full.
 */
const MOST_IMPORTED = 64;

/** A text, and a context that is signed with it but not sent. */
export type InContext = { readonly text: string; readonly context: string };

/** Signs and verifies texts. A signature for one purpose is invalid for any other. */
export class KeyRing {
  readonly #keys: SigningKeys;
  readonly #clock: Clock;
  readonly #purpose: string;
  readonly #imported = new Map<string | Uint8Array, Promise<HmacKey>>();

  /** @throws SpillwayError `bad-option` if the keys are invalid */
  constructor(purpose: string, keys: SigningKeys, clock: Clock) {
    this.#purpose = purpose;
    this.#keys = keys;
    this.#clock = clock;
    this.#current();
  }

  /** Signs a text. Returns the key's name, the text and its code. */
  async sign({ text, context }: InContext): Promise<string> {
    const [key] = this.#current();
    if (key === undefined) throw noKeys(this.#keys);
    const signed = `${key.id}.${text}`;
    const whole = this.#whole({ text: signed, context });
    return `${signed}.${await macOf(await this.#import(key), whole)}`;
  }

  /**
   * Returns the text of a token; undefined if the token is invalid.
   *
   * A token is invalid if it was not signed, if its context differs, or if its key has ended.
   *
   * @param contextOf Returns the context in which such a text is signed.
   */
  async verify(token: string, contextOf: (text: string) => string): Promise<string | undefined> {
    const [, id, text, mac] = (token.length <= LONGEST_TOKEN && TOKEN.exec(token)) || [];
    const key = this.#current().find((each) => each.id === id);
    if (key === undefined || text === undefined || mac === undefined) return undefined;
    const whole = this.#whole({ text: `${id}.${text}`, context: contextOf(text) });
    return (await isMac(await this.#import(key), { mac, text: whole })) ? text : undefined;
  }

  /** Neither purposes nor tokens contain line breaks, so the parts can't be confused. */
  #whole({ text, context }: InContext): string {
    return `${this.#purpose}\n${text}\n${context}`;
  }

  #current(): readonly SigningKey[] {
    const keys = typeof this.#keys === "function" ? this.#keys() : this.#keys;
    if (!Array.isArray(keys) || keys.length === 0) throw noKeys(keys);
    keys.forEach(check);
    checkNames(keys);
    const now = this.#clock();
    return keys.filter(({ until = Number.POSITIVE_INFINITY }) => now <= until);
  }

  #import({ secret }: SigningKey): Promise<HmacKey> {
    const known = this.#imported.get(secret);
    if (known !== undefined) return known;
    if (this.#imported.size >= MOST_IMPORTED) this.#imported.clear();
    const imported = hmacKey(secret);
    this.#imported.set(secret, imported);
    return imported;
  }
}

/** A token names its key. If two keys had the same name, the second would verify nothing. */
function checkNames(keys: readonly SigningKey[]): void {
  const ids = keys.map(({ id }) => id);
  const twin = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twin !== undefined) throw badOption("keys.id", twin, "a name that no other key has");
}

function noKeys(value: unknown): SpillwayError {
  abandon(value);
  return badObject("keys", value, "at least one key that has not ended: { id, secret }");
}

/** Checks a key. No message contains the value of a secret. */
function check(key: SigningKey): void {
  const { id, secret, until = 0 } = key ?? {};
  if (typeof id !== "string" || !NAME.test(id)) {
    throw badObject("keys.id", id, "1 to 32 letters, digits, _ and -");
  }
  const isSecret = typeof secret === "string" || secret instanceof Uint8Array;
  if (!isSecret || lengthOf(secret) < LEAST_BYTES) {
    throw new SpillwayError({
      code: "bad-option",
      field: "keys.secret",
      value: isSecret ? `${lengthOf(secret)} bytes` : secret,
      isPrivate: !isSecret,
      expected: `text or bytes, at least ${LEAST_BYTES} of them`,
      hint: "Make one with crypto.getRandomValues, and keep it with the other secrets",
    });
  }
  if (!Number.isSafeInteger(until)) {
    throw badOption("keys.until", until, "an instant in milliseconds since 1970");
  }
}
