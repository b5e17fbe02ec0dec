/**
 * Writes the target of a request as it is forwarded: in one spelling, which rules read alike.
 *
 * Rules compare paths without their case, parameters and last slash. A server may tell these apart,
 * so they are forwarded; all other spellings of one path become one.
 */

/** A path whose spelling stays: no escapes, empty segments or dots. */
const PLAIN = /^(?:\/[\w~!$&'()*+,;=:@-][\w.~!$&'()*+,;=:@-]*)*\/?$/;

/** An absolute target, as clients send it to proxies. */
const ABSOLUTE = /^https?:\/\/([^/?#\\]*)/i;

/** A target in its parts. */
export type TargetParts = {
  /** The host of an absolute target; undefined for a path. */
  readonly authority: string | undefined;
  /** The path and the query. */
  readonly path: string;
};

/** Splits a target; undefined unless it is a path or an absolute URL of HTTP. Pure. */
export function targetParts(target: string): TargetParts | undefined {
  if (target.startsWith("/")) return { authority: undefined, path: target };
  const [whole, authority] = ABSOLUTE.exec(target) ?? [];
  if (whole === undefined) return undefined;
  const path = target.slice(whole.length);
  return { authority, path: path.startsWith("/") ? path : `/${path}` };
}

/**
 * Writes a path and its query as they are forwarded. Pure.
 *
 * For paths that have a single meaning; others are to be refused before.
 */
export function forwardedPath(target: string): string {
  const mark = target.indexOf("?");
  const path = mark < 0 ? target : target.slice(0, mark);
  const query = mark < 0 ? "" : escaped(target.slice(mark));
  return (PLAIN.test(path) ? path : spelled(path)) + query;
}

function spelled(path: string): string {
  const kept: string[] = [];
  const segments = path.split("/").map((segment) => escaped(unreserved(segment)));
  for (const segment of segments) {
    if (segment === "..") kept.pop();
    else if (segment !== "" && segment !== ".") kept.push(segment);
  }
  const last = segments.at(-1) ?? "";
  const isFolder = kept.length > 0 && (last === "" || last === "." || last === "..");
  return `/${kept.join("/")}${isFolder ? "/" : ""}`;
}

/** Decodes escapes of characters that never need one, and writes all others alike (RFC 3986). */
function unreserved(segment: string): string {
  return segment.replace(/%([\da-f]{2})/gi, (whole, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return /[\w.~-]/.test(character) ? character : whole.toUpperCase();
  });
}

/** Characters that a target can't contain as they are, of those that Node lets through. */
const UNSAFE = /[^\x21-\x7e]|["<>\\^`{|}]/g;

/** Escapes bytes for which servers have different meanings, such as `\`. */
function escaped(text: string): string {
  return text.replace(UNSAFE, (character) => {
    const hex = character.charCodeAt(0).toString(16).toUpperCase();
    return `%${hex.padStart(2, "0")}`;
  });
}
