/** Spreads names over cohorts: evenly, the same in all processes, and differently in each rotation. */
import { checkSecret, digest, hmac } from "../internal/index.ts";
import { hash } from "../limits/algorithms/index.ts";

/** A whole number from 0 to 2³² − 1 for a name in a rotation; always the same for both. */
export type CohortHash = (rotation: number, name: string) => number;

/** Hexadecimal digits of 32 bits. */
const DIGITS = 8;

/**
 * Makes the hash of a secret, which only those who know it can compute; without a secret, one that anybody can.
 *
 * A SHA-256 of key and name is enough, instead of an HMAC with two: its weakness, that a digest can be extended,
 * needs the whole digest, of which a cohort shows 7 bits. It takes some 1 µs.
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

/** Requires a secret that nobody guesses, or none. Pure. @throws SpillwayError `bad-option` */
export function checkedCohortSecret(secret: unknown, field: string): string | undefined {
  if (secret !== undefined) checkSecret(field, secret, ", the same in all processes");
  return secret as string | undefined;
}
