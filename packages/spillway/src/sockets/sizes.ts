/** Counts the bytes of data from sockets and streams. */

/** Whether a value is bytes: a `Uint8Array`, which includes `Buffer`. Pure. */
export function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array;
}

/** Returns the bytes of a message from `ws`, whole or in fragments; 0 if it is not data. Pure. */
export function sizeOf(data: unknown): number {
  if (Array.isArray(data)) return data.reduce((sum: number, part) => sum + sizeOf(part), 0);
  const size: unknown = (data as { byteLength?: unknown } | undefined)?.byteLength;
  return typeof size === "number" ? size : 0;
}
