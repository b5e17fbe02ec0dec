/** What proxies write about where a request came from, read from the end: the nearest wrote last. */
import { characters, FieldReader, TOKEN, unescaped } from "../../internal/index.ts";

/** What is read of one header: what is before that is not believed. */
const LONGEST = 16_384;

/** The entries of `X-Forwarded-For`, the last first; read only as far as somebody asks. Pure. */
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

/** Between elements: a list may have empty ones, which say nothing (RFC 9110, 5.6.1.2). */
const BETWEEN = characters(/[, \t]/);

/** What is read of one node, with its escapes: no address is longer. */
const LONGEST_NODE = 200;

/**
 * The `for` of each element of `Forwarded` (RFC 7239), the last first; "" where there is none. Undefined for a
 * header that is malformed anywhere, or too long to be read whole. Pure.
 *
 * Of a malformed header nothing is certain, not even the last element. A proxy appends to what a stranger has
 * written, and quotes can only be counted from the beginning: where the stranger has left one open, it is the
 * proxy's quotes that end it, and what the proxy has quoted, such as the stranger's `Host`, is outside.
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

/** The `for` of an element; "" where it has none, undefined where it has two or is malformed. */
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

/** A quoted string with its escapes, or a token. */
function written(reader: FieldReader): string | undefined {
  return reader.quoted() ?? (reader.span(TOKEN) || undefined);
}

function* lastFirst(nodes: readonly string[]): Generator<string> {
  for (const node of nodes.toReversed()) yield node.length > LONGEST_NODE ? "" : unescaped(node);
}
