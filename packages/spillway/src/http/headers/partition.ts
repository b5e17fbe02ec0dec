/** Partition keys: codes that identify the budget of a policy without revealing the key. */
import {
  badObject,
  checkOptions,
  checkSecret,
  hmac,
  isOptions,
  ownText,
} from "../../internal/index.ts";

/** How partition keys are made. */
export type PartitionKey = {
  /**
   * A secret of at least 16 characters, the same in all processes. It must be unguessable: anyone
   * with the secret can try out keys.
   *
   * Another secret gives all budgets other partition keys.
   */
  readonly secret: string;
};

/** The maximum number of keys per limit whose codes are cached. Each costs about 200 bytes. */
const MOST_KEPT = 16_384;
/**
 * The longest limit and key that are cached, in UTF-16 units together. Clients may send keys as
 * long as a body.
 */
const LONGEST_KEPT = 250;
/** The maximum number of limits in the cache. Their names may come with requests, too. */
const MOST_LIMITS = 64;

/** The number of hexadecimal digits of a code that are sent: 72 bits. */
const DIGITS = 18;

/**
 * Returns a function that computes the partition key of a limit and a key, as Base64.
 *
 * It is an HMAC-SHA-256 of both, cut to 72 bits.
 *
 * @throws SpillwayError `bad-option`, `unknown-field`
 */
export function partitions(options: PartitionKey): (budget: PartitionSubject) => string {
  checkPartitionKey(options);
  const codeOf = hmac(options.secret);
  const kept = new Map<string, Map<string, string>>();
  return ({ limit, key }) => {
    const ofLimit = kept.get(limit);
    // The key is looked up as it is, because the runtime has already hashed it. A joined id would
    // be a new text each time.
    const known = ofLimit?.get(key);
    if (known !== undefined) return known;
    const partition = base64(codeOf(`${limit.length}:${limit}=${key}`).slice(0, DIGITS));
    const isShort = limit.length + key.length <= LONGEST_KEPT;
    if (isShort) keep(kept, limit).set(ownText(key), partition);
    return partition;
  };
}

/** Checks the options of partition keys. @throws SpillwayError `bad-option`, `unknown-field` */
export function checkPartitionKey(options: unknown): asserts options is PartitionKey {
  if (!isOptions(options, ["secret"])) {
    throw badObject("partitionKey", options, "{ secret }, or nothing for headers without one");
  }
  checkOptions("partitionKey", options, ["secret"]);
  checkSecret("partitionKey.secret", (options as Partial<PartitionKey>).secret);
}

/** Returns the cache of a limit's partition keys, with room for one more. */
function keep(kept: Map<string, Map<string, string>>, limit: string): Map<string, string> {
  const known = kept.get(limit);
  if (known !== undefined && known.size < MOST_KEPT) return known;
  if (kept.size >= MOST_LIMITS) kept.clear();
  const fresh = new Map<string, string>();
  kept.set(limit, fresh);
  return fresh;
}

type PartitionSubject = { readonly limit: string; readonly key: string };

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Converts hexadecimal digits to Base64. Their number must be a multiple of six. */
function base64(hex: string): string {
  let text = "";
  for (let start = 0; start < hex.length; start += 3) {
    const bits = Number.parseInt(hex.slice(start, start + 3), 16);
    text += ALPHABET.charAt(bits >>> 6) + ALPHABET.charAt(bits & 63);
  }
  return text;
}
