/**
 * Converts sliding logs and leases to bytes and back. Every number is a 64-bit float.
 *
 * An entry of a log is its instant and its units. A lease is its id, its units, and the instant at
 * which it expires.
 */
import { Leases, Log } from "../../limits/core/index.ts";
import { RowError } from "./rows.ts";

/** Numbers in one entry. */
const WIDTH = 2;
/** Numbers in one lease. */
const LEASE_WIDTH = 3;
/** Free entries of a log after it is read: a command adds one, or two if it settles. */
const ROOM = 2;

/** Returns a log as bytes; null if it has no entries. Pure. */
export function bytesOf(log: Log | undefined): Uint8Array | null {
  if (log === undefined || log.length === 0) return null;
  const { buffer, byteOffset, byteLength } = log.toNumbers();
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Returns the log in bytes. Pure. @throws RowError if the length of the bytes is wrong. */
export function logOf(bytes: Uint8Array | null): Log | undefined {
  if (bytes === null) return undefined;
  const ring = numbersOf(bytes, { width: WIDTH, room: ROOM });
  return Log.from(ring, ring.length / WIDTH - ROOM);
}

/** Returns leases as bytes; null if there are none. Pure. */
export function leaseBytesOf(leases: Leases): Uint8Array | null {
  if (leases.size === 0) return null;
  return new Uint8Array(leases.toNumbers().buffer);
}

/** Returns the leases in bytes. Pure. @throws RowError if the length of the bytes is wrong. */
export function leasesOf(bytes: Uint8Array | null): Leases {
  return bytes === null
    ? new Leases()
    : Leases.from(numbersOf(bytes, { width: LEASE_WIDTH, room: 0 }));
}

/**
 * Returns the numbers of entries that are `width` numbers each, followed by `room` free entries.
 */
function numbersOf(
  bytes: Uint8Array,
  { width, room }: { readonly width: number; readonly room: number },
): Float64Array {
  const entryBytes = width * Float64Array.BYTES_PER_ELEMENT;
  if (bytes.length % entryBytes !== 0) {
    throw new RowError(`a row with a log of ${bytes.length} bytes`);
  }
  // The copy begins at a multiple of eight bytes, as an array of numbers must. A driver's buffer
  // may not.
  const copy = new Uint8Array(bytes.length + room * entryBytes);
  copy.set(bytes);
  return new Float64Array(copy.buffer);
}
