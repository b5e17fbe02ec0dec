/** Spreads names over cohorts: evenly, the same in all processes, and differently in each rotation. */
import { digest, hmac } from "../internal/index.ts";
import { hash } from "../limits/algorithms/index.ts";
import { SpillwayError } from "../limits/core/index.ts";

/** A whole number from 0 to 2³² − 1 for a name in a rotation; always the same for both. */
export type CohortHash = (rotation: number, name: string) => number;

const SHORTEST_SECRET = 16;
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
export function checkCohortSecret(secret: unknown): void {
  if (secret === undefined) return;
  if (typeof secret === "string" && secret.length >= SHORTEST_SECRET) return;
  throw new SpillwayError({
    code: "bad-option",
    field: "secret",
    value: secret,
    isPrivate: true,
    expected: `a text of at least ${SHORTEST_SECRET} characters, the same in all processes`,
    hint: "`openssl rand -hex 32` makes one; keep it with the other secrets",
  });
}
