/**
 * A sliding log as bytes: for each entry its instant and its units, eight bytes each; and leases: for
 * each its id, its units, and until when it lasts.
 */
import { Leases, Log } from "../../limits/core/index.ts";
import { RowError } from "./rows.ts";

/** Numbers in one entry. */
const WIDTH = 2;
/** Numbers in one lease. */
const LEASE_WIDTH = 3;
/** Entries that a log has room for when it is read: a command adds one, or two that settle. */
const ROOM = 2;

/** The bytes of a log; null for one without entries. Pure. */
export function bytesOf(log: Log | undefined): Uint8Array | null {
  if (log === undefined || log.length === 0) return null;
  const { buffer, byteOffset, byteLength } = log.toNumbers();
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** The log of such bytes. Pure. @throws RowError where they are none */
export function logOf(bytes: Uint8Array | null): Log | undefined {
  if (bytes === null) return undefined;
  const ring = numbersOf(bytes, { width: WIDTH, room: ROOM });
  return Log.from(ring, ring.length / WIDTH - ROOM);
}

/** The bytes of leases; null for none. Pure. */
export function leaseBytesOf(leases: Leases): Uint8Array | null {
  if (leases.size === 0) return null;
  return new Uint8Array(leases.toNumbers().buffer);
}

/** The leases of such bytes. Pure. @throws RowError where they are none */
export function leasesOf(bytes: Uint8Array | null): Leases {
  return bytes === null
    ? new Leases()
    : Leases.from(numbersOf(bytes, { width: LEASE_WIDTH, room: 0 }));
}

/** @param shape Numbers in an entry, and how many more entries the array is to have room for. */
function numbersOf(
  bytes: Uint8Array,
  { width, room }: { readonly width: number; readonly room: number },
): Float64Array {
  const entryBytes = width * Float64Array.BYTES_PER_ELEMENT;
  if (bytes.length % entryBytes !== 0) {
    throw new RowError(`a row with a log of ${bytes.length} bytes`);
  }
  // A copy of its own begins where eight bytes make a number; a driver's buffer need not.
  const copy = new Uint8Array(bytes.length + room * entryBytes);
  copy.set(bytes);
  return new Float64Array(copy.buffer);
}
