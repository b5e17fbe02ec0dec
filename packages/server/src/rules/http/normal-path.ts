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
  if (bytes === undefined) return undefined;
  try {
    const decoded = utf8.decode(bytes);
    // In this order, a letter with several small forms gets one of them.
    return CONTROL.test(decoded) ? undefined : decoded.toUpperCase().toLowerCase();
  } catch {
    return undefined;
  }
}

const PERCENT = 0x25;
const SLASH = 0x2f;

/** Returns the bytes of a path, with 0 for each `%2F`; undefined if an escape is invalid. */
function unescaped(path: string): Uint8Array | undefined {
  const bytes = new Uint8Array(path.length);
  let length = 0;
  for (let index = 0; index < path.length; index++) {
    const code = path.charCodeAt(index);
    const byte = code === PERCENT ? hexByte(path, index + 1) : code;
    if (!(byte > 0 && byte <= 0xff)) return undefined;
    if (code === PERCENT) index += 2;
    bytes[length++] = code === PERCENT && byte === SLASH ? 0 : byte;
  }
  return bytes.subarray(0, length);
}

/** Reads two hexadecimal digits; NaN if there are none. */
function hexByte(text: string, index: number): number {
  return 16 * hexDigit(text.charCodeAt(index)) + hexDigit(text.charCodeAt(index + 1));
}

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN;
}

/** A control character that is not the mark. */
const CONTROL = /(?!\0)\p{Cc}/u;

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
