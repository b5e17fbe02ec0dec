/** Partition keys: whose budget a policy is about, shown so that nobody learns the key itself. */
import {
  badObject,
  checkOptions,
  checkSecret,
  hmac,
  isOptions,
  ownText,
} from "../../internal/index.ts";

/** How it is shown whose budget it is. */
export type PartitionKey = {
  /**
   * At least 16 characters that nobody can guess, the same in all processes: who knows it can try out keys. Another
   * one gives all budgets other partition keys.
   */
  readonly secret: string;
};

/** Keys of a limit of which the code is kept at hand; each costs some 200 bytes. */
const MOST_KEPT = 16_384;
/** In UTF-16 units: what clients write may be as long as a body, and is read each time instead. */
const LONGEST_KEPT = 250;
/** Names of limits may come with requests, too. */
const MOST_LIMITS = 64;

/** Hexadecimal digits of a code that are sent: 72 bits. */
const DIGITS = 18;

/**
 * Makes a function that returns the partition key of a limit and a key, as Base64: an HMAC-SHA-256 of both, cut.
 *
 * @throws SpillwayError `bad-option`, `unknown-field`
 */
export function partitions(options: PartitionKey): (budget: Named) => string {
  checkPartitionKey(options);
  const codeOf = hmac(options.secret);
  const kept = new Map<string, Map<string, string>>();
  return ({ limit, key }) => {
    const ofLimit = kept.get(limit);
    // By the key itself, of which the runtime has a hash already: the id would be a new text each time.
    const known = ofLimit?.get(key);
    if (known !== undefined) return known;
    const partition = base64(codeOf(`${limit.length}:${limit}=${key}`).slice(0, DIGITS));
    const isShort = limit.length + key.length <= LONGEST_KEPT;
    if (isShort) keep(kept, limit).set(ownText(key), partition);
    return partition;
  };
}

/** @throws SpillwayError `bad-option`, `unknown-field` */
export function checkPartitionKey(options: unknown): asserts options is PartitionKey {
  if (!isOptions(options, ["secret"])) {
    throw badObject("partitionKey", options, "{ secret }, or nothing for headers without one");
  }
  checkOptions("partitionKey", options, ["secret"]);
  checkSecret("partitionKey.secret", (options as Partial<PartitionKey>).secret);
}

/** Where the partition keys of a limit are kept, with room for one. */
function keep(kept: Map<string, Map<string, string>>, limit: string): Map<string, string> {
  const known = kept.get(limit);
  if (known !== undefined && known.size < MOST_KEPT) return known;
  if (kept.size >= MOST_LIMITS) kept.clear();
  const fresh = new Map<string, string>();
  kept.set(limit, fresh);
  return fresh;
}

type Named = { readonly limit: string; readonly key: string };

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Of hexadecimal digits whose number is a multiple of six. */
function base64(hex: string): string {
  let text = "";
  for (let start = 0; start < hex.length; start += 3) {
    const bits = Number.parseInt(hex.slice(start, start + 3), 16);
    text += ALPHABET.charAt(bits >>> 6) + ALPHABET.charAt(bits & 63);
  }
  return text;
}
