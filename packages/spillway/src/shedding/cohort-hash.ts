/**
 * Spreads names over cohorts: evenly, the same in all processes, and differently in each rotation.
 */
import { checkSecret, digest, hmac } from "../internal/index.ts";
import { hash } from "../limits/algorithms/index.ts";

/** Returns a whole number from 0 to 2³² − 1; always the same for the same rotation and name. */
export type CohortHash = (rotation: number, name: string) => number;

/** The number of hexadecimal digits in 32 bits. */
const DIGITS = 8;

/**
 * Creates a hash that only holders of the secret can compute. Without a secret, anyone can.
 *
 * One SHA-256 of key and name is enough; an HMAC would take two. SHA-256 allows anyone to extend a
 * digest, but that needs the whole digest, and a cohort shows only 7 bits of it. A call takes about
 * 1 µs.
 */
export function cohortHash(secret: string | undefined): CohortHash {
  if (secret === undefined) return (rotation, name) => hash(`${rotation}/${name}`);
  const keyOf = hmac(secret);
  let current = Number.NaN;
  let key = "";
  return (rotation, name) => {
    if (rotation !== current) {
      current = rotation;
      key = keyOf(`cohorts/${rotation}`);
    }
    return Number.parseInt(digest(key + name).slice(0, DIGITS), 16);
  };
}

/**
 * Checks that the secret is undefined or has at least 16 characters. Pure. @throws SpillwayError
 * `bad-option`
 */
export function checkedCohortSecret(secret: unknown, field: string): string | undefined {
  if (secret !== undefined) checkSecret(field, secret, ", the same in all processes");
  return secret as string | undefined;
}
