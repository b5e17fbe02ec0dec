/**
 * A sliding log as bytes: for each entry its instant and its units, eight bytes each; and leases: for
 * each its id, its units, and until when it lasts.
 */
import { Leases, Log } from "../../core/index.ts";
import { RowError } from "./row-error.ts";

/** Numbers in one entry. */
const WIDTH = 2;
/** Numbers in one lease. */
const LEASE_WIDTH = 3;

/** The bytes of a log; null for one without entries. Pure. */
export function bytesOf(log: Log | undefined): Uint8Array | null {
  if (log === undefined || log.length === 0) return null;
  const numbers = new Float64Array(log.length * WIDTH);
  for (let index = 0; index < log.length; index++) {
    numbers[index * WIDTH] = log.instant(index);
    numbers[index * WIDTH + 1] = log.units(index);
  }
  return new Uint8Array(numbers.buffer);
}

/** The log of such bytes. Pure. @throws RowError where they are none */
export function logOf(bytes: Uint8Array | null): Log | undefined {
  if (bytes === null) return undefined;
  const numbers = numbersOf(bytes, WIDTH);
  const log = new Log();
  for (let cell = 0; cell < numbers.length; cell += WIDTH) {
    log.push({ instant: numbers[cell] as number, units: numbers[cell + 1] as number });
  }
  return log;
}

/** The bytes of leases; null for none. Pure. */
export function leaseBytesOf(leases: Leases): Uint8Array | null {
  if (leases.size === 0) return null;
  const numbers = Array.from(leases, ({ id, units, until }) => [id, units, until]);
  return new Uint8Array(Float64Array.from(numbers.flat()).buffer);
}

/** The leases of such bytes. Pure. @throws RowError where they are none */
export function leasesOf(bytes: Uint8Array | null): Leases {
  const leases = new Leases();
  const numbers = bytes === null ? [] : numbersOf(bytes, LEASE_WIDTH);
  for (let cell = 0; cell < numbers.length; cell += LEASE_WIDTH) {
    const [id, units, until] = numbers.slice(cell, cell + LEASE_WIDTH) as unknown as Triple;
    leases.add({ id, units, until });
  }
  return leases;
}

type Triple = readonly [number, number, number];

function numbersOf(bytes: Uint8Array, width: number): Float64Array {
  if (bytes.length % (width * Float64Array.BYTES_PER_ELEMENT) !== 0) {
    throw new RowError(`a row with a log of ${bytes.length} bytes`);
  }
  // A copy of its own begins where eight bytes make a number; a driver's buffer need not.
  return new Float64Array(new Uint8Array(bytes).buffer);
}
