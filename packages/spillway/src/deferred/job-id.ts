/** The ids of jobs: UUIDs, which every queue accepts and which can't be guessed. */
import { digest } from "../internal/index.ts";

declare const crypto: { randomUUID(): string };

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** Whether a value can be the id of a job. Pure. */
export const isJobId = (id: unknown): id is string => typeof id === "string" && UUID.test(id);

/** Returns a new id from the runtime's secure source of random numbers. */
export const newJobId = (): string => crypto.randomUUID();

/**
 * Returns the id of the job that a request is for, always the same for the same parts. Pure.
 *
 * The parts are, for example, the user and the `Idempotency-Key`. A repeated request then finds the
 * job of the first one. Anyone who can guess all parts can guess the id: check the user in the
 * route of a job's status.
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
