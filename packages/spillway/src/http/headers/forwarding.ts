/**
 * Reads the headers by which proxies report the client, from the end: the nearest proxy wrote last.
 */
import { characters, FieldReader, TOKEN, unescaped } from "../../internal/index.ts";

/**
 * The maximum number of characters that are read of one header, from its end. Anything before is
 * not trusted.
 */
const LONGEST = 16_384;

/**
 * Yields the entries of `X-Forwarded-For`, the last one first, and parses them only on demand.
 * Pure.
 */
export function* forwardedFor(value: string): Generator<string> {
  const start = value.length - LONGEST;
  let end = value.length;
  while (true) {
    const comma = end === 0 ? -1 : value.lastIndexOf(",", end - 1);
    if (comma + 1 < start) return;
    yield value.slice(comma + 1, end).trim();
    if (comma < 0) return;
    end = comma;
  }
}

/** Between elements. A list may have empty elements, which mean nothing (RFC 9110, 5.6.1.2). */
const BETWEEN = characters(/[, \t]/);

/** The maximum number of characters of one node, with its escapes. No address is longer. */
const LONGEST_NODE = 200;

/**
 * Returns the `for` of each element of `Forwarded` (RFC 7239), the last one first. Pure.
 *
 * An element without `for` gives "". The result is undefined if any part of the header is
 * malformed, or if it is too long to be read whole.
 *
 * A malformed header is never used, not even its last element. A proxy appends to text that a
 * stranger may have written, and quotes can only be counted from the beginning. If the stranger
 * leaves a quote open, the proxy's own quote closes it. Text that the proxy has quoted, such as the
 * stranger's `Host`, is then outside quotes.
 */
export function forwarded(value: string): Iterable<string> | undefined {
  if (value.length > LONGEST) return undefined;
  const reader = new FieldReader(value);
  const nodes: string[] = [];
  reader.span(BETWEEN);
  while (!reader.isOver) {
    const node = nodeOf(reader);
    const isEnded = reader.span(BETWEEN) !== "" || reader.isOver;
    if (node === undefined || !isEnded) return undefined;
    nodes.push(node);
  }
  return lastFirst(nodes);
}

/** Returns the `for` of an element: "" if it has none, undefined if it has two or is malformed. */
function nodeOf(reader: FieldReader): string | undefined {
  let node: string | undefined;
  do {
    reader.space();
    const name = reader.span(TOKEN);
    if (name === "") continue;
    const value = reader.takes("=") ? written(reader) : undefined;
    const isNode = name.toLowerCase() === "for";
    if (value === undefined || (isNode && node !== undefined)) return undefined;
    if (isNode) node = value;
    reader.space();
  } while (reader.takes(";"));
  return node ?? "";
}

/** Reads a quoted string with its escapes, or a token. */
function written(reader: FieldReader): string | undefined {
  return reader.quoted() ?? (reader.span(TOKEN) || undefined);
}

function* lastFirst(nodes: readonly string[]): Generator<string> {
  for (const node of nodes.toReversed()) yield node.length > LONGEST_NODE ? "" : unescaped(node);
}
