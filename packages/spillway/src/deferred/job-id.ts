/** Names of jobs: UUIDs, which every queue takes and nobody guesses. */
import { digest } from "../internal/index.ts";

declare const crypto: { randomUUID(): string };

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** Whether a text can be the id of a job. Pure. */
export const isJobId = (id: unknown): id is string => typeof id === "string" && UUID.test(id);

/** A new id, by the runtime's own source of secrets. */
export const newJobId = (): string => crypto.randomUUID();

/**
 * The id of the job that a request asks for, always the same for the same parts: such as who asks, and their
 * `Idempotency-Key`. A request that is repeated then finds the job that it has asked for.
 *
 * Whoever can guess all parts can guess the id: have the route of a job's status check who asks. Pure.
 */
export function jobId(...parts: readonly string[]): string {
  const hex = digest(JSON.stringify(parts));
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16);
  // A UUID of version 8 (RFC 9562, 5.8): 122 bits of the digest.
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}
