/** A sliding log as bytes: for each entry its instant and its units, eight bytes each. */
import { Log } from "../../core/index.ts";
import { RowError } from "./row-error.ts";

/** Numbers in one entry. */
const WIDTH = 2;
/** Bytes in one entry. */
const BYTES = WIDTH * Float64Array.BYTES_PER_ELEMENT;

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
  if (bytes.length % BYTES !== 0) throw new RowError(`a row with a log of ${bytes.length} bytes`);
  // A copy of its own begins where eight bytes make a number; a driver's buffer need not.
  const numbers = new Float64Array(new Uint8Array(bytes).buffer);
  const log = new Log();
  for (let cell = 0; cell < numbers.length; cell += WIDTH) {
    log.push({ instant: numbers[cell] as number, units: numbers[cell + 1] as number });
  }
  return log;
}
