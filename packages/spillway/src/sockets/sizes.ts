/** How many bytes there are in what sockets and streams give. */

/** Bytes: a `Uint8Array`, and so a `Buffer`. */
export function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array;
}

/** The bytes of a message as `ws` gives it: whole, or in fragments; 0 for what is none. Pure. */
export function sizeOf(data: unknown): number {
  if (Array.isArray(data)) return data.reduce((sum: number, part) => sum + sizeOf(part), 0);
  const size: unknown = (data as { byteLength?: unknown } | undefined)?.byteLength;
  return typeof size === "number" ? size : 0;
}
