/**
 * Reads the target of a request: the path in the one spelling by which rules match, and the query.
 *
 * Servers disagree about `%2F` and `\`: for some they separate segments, for others not. Such a
 * path has two readings, and a rule matches if either does. A `..` beside them could lead anywhere,
 * so such a request is a bad one. So is a path that begins with two slashes: for some servers, what
 * follows is a host.
 */

/** A path and a query. */
export type NormalTarget = {
  /** The segments of each reading, decoded and in lower case; of the normal spelling first. */
  readonly readings: readonly (readonly string[])[];
  /** The query as it was received, without `?`. */
  readonly query: string;
};

/** The scheme and the host of an absolute target, as clients send it to proxies. */
const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[^/?#\\]*/i;

/**
 * Normalizes a target, whose characters are its bytes; undefined for a bad one. Pure.
 *
 * Bad are targets with control characters, invalid escapes or bytes that are not UTF-8, and paths
 * with more than one meaning or more than 256 segments.
 */
export function readTarget(target: string): NormalTarget | undefined {
  if (target === "") return undefined;
  const fragment = target.indexOf("#");
  const whole = fragment < 0 ? target : target.slice(0, fragment);
  const mark = whole.indexOf("?");
  const path = (mark < 0 ? whole : whole.slice(0, mark)).replace(ORIGIN, "");
  const readings = readingsOf(path);
  if (readings === undefined) return undefined;
  return { readings, query: mark < 0 ? "" : whole.slice(mark + 1) };
}

/** Writes the first segments of a path in normal spelling, which is percent-encoded. Pure. */
export function normalPath({ readings: [segments = []] }: NormalTarget, count?: number): string {
  return `/${segments.slice(0, count).map(written).join("/")}`;
}

/** A path that is in its normal spelling, except for its case. */
const PLAIN = /^(?:\/[\w~!$&'()*+,=:@-][\w.~!$&'()*+,=:@-]*)*\/?$/;

/** The beginning of a reference to another host, by RFC 3986 and by the URL standard. */
const HOST_BEGINS = /^[/\\]{2}/;

/** The maximum number of segments, empty ones included. */
export const MOST_SEGMENTS = 256;

function readingsOf(path: string): readonly (readonly string[])[] | undefined {
  if (HOST_BEGINS.test(path)) return undefined;
  if (path.split("/", MOST_SEGMENTS + 2).length > MOST_SEGMENTS + 1) return undefined;
  if (PLAIN.test(path)) return [path.toLowerCase().split("/").filter(Boolean)];
  const decoded = decode(path);
  if (decoded === undefined) return undefined;
  const hasMarks = decoded.includes(MARK);
  const isOdd = hasMarks || decoded.includes("\\");
  const uncut = cleaned(decoded.split("/"), { isOdd });
  if (!isOdd) return uncut && [uncut];
  // No client has a reason for both, and some servers would read only one of them as a slash.
  if (hasMarks && decoded.includes("\\")) return undefined;
  const cut = cleaned(decoded.split(hasMarks ? /[/\0]/ : /[/\\]/, MOST_SEGMENTS + 2), { isOdd });
  return cut && uncut && [cut, uncut.map(withSlashes)];
}

/** Stands for a decoded `%2F`: no path contains it, because it is a control character. */
const MARK = "\0";

function withSlashes(segment: string): string {
  return segment.replaceAll(MARK, "/");
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Decodes a path once, and folds its case; undefined if it can't be decoded. */
function decode(path: string): string | undefined {
  const bytes = unescaped(path);
  // Each byte of ASCII is a character, which is read the fastest.
  if (bytes === undefined || isAscii(bytes)) return bytes?.toString("latin1").toLowerCase();
  try {
    const decoded = utf8.decode(bytes);
    // In this order, a letter with several small forms gets one of them.
    return CONTROL.test(decoded) ? undefined : decoded.toUpperCase().toLowerCase();
  } catch {
    return undefined;
  }
}

function isAscii(bytes: Uint8Array): boolean {
  let seen = 0;
  for (let index = 0; index < bytes.length; index++) seen |= bytes[index] as number;
  return seen <= 0x7f;
}

const PERCENT = 0x25;
const SLASH = 0x2f;
const SPACE = 0x20;
const DELETE = 0x7f;

/** The digit of each byte, or a number over 15 for others. */
const HEX = Uint8Array.from({ length: 256 }, (_, byte) => {
  const digit = Number.parseInt(String.fromCharCode(byte), 16);
  return Number.isNaN(digit) ? 255 : digit;
});

/**
 * Returns the bytes of a path, with 0 for each `%2F`; undefined if an escape is invalid, or if a
 * byte is a control character.
 */
function unescaped(path: string): Buffer | undefined {
  if (NO_BYTE.test(path)) return undefined;
  const bytes = Buffer.from(path, "latin1");
  let length = 0;
  for (let index = 0; index < bytes.length; index++) {
    let byte = bytes[index] as number;
    if (byte === PERCENT) {
      const high = HEX[bytes[index + 1] as number] ?? 255;
      const low = HEX[bytes[index + 2] as number] ?? 255;
      if (high > 15 || low > 15) return undefined;
      byte = 16 * high + low;
      index += 2;
      if (byte < SPACE || byte === DELETE) return undefined;
      if (byte === SLASH) byte = 0;
    } else if (byte < SPACE || byte === DELETE) return undefined;
    // Never ahead of what is read.
    bytes[length++] = byte;
  }
  return bytes.subarray(0, length);
}

/** A character that stands for no byte. */
const NO_BYTE = /[^\0-\xff]/;

/** A control character beyond ASCII. */
const CONTROL = /[\x80-\x9f]/;

/** Removes parameters, empty segments and dots; undefined if the meaning is open. */
function cleaned(
  segments: readonly string[],
  { isOdd }: { readonly isOdd: boolean },
): readonly string[] | undefined {
  if (segments.length > MOST_SEGMENTS + 1) return undefined;
  const normal: string[] = [];
  const isOpen = isOdd || segments.slice(1, -1).includes("");
  for (const segment of segments) {
    const end = segment.indexOf(";");
    const name = end < 0 ? segment : segment.slice(0, end);
    const isDots = name === "" || name === "." || name === "..";
    // Some servers drop a segment that has only parameters, others keep it.
    if (isDots && end >= 0) return undefined;
    if (name === ".." && isOpen) return undefined;
    if (name === "..") normal.pop();
    else if (!isDots) normal.push(name);
  }
  return normal;
}

/** Writes a segment so that reading it again gives the same. */
function written(segment: string): string {
  return encodeURI(segment).replace(/[?#]/g, encodeURIComponent);
}
