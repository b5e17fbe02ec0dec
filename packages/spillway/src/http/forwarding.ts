/** What proxies write about where a request came from, read from the end: the nearest wrote last. */

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

/** One parameter of an element: a name, and a token or a quoted string. */
const PARAMETER = /^\s*([\w!#$%&'*+.^`|~-]+)=(?:([^\s",;]+)|"((?:[^"\\]|\\.)*)")\s*$/;

/** What separates elements and parameters, outside quotes; and quoted strings, to pass over them. */
const SEPARATORS = /"(?:[^"\\]|\\.)*"|[,;]/g;

/**
 * The `for` of each element of `Forwarded` (RFC 7239), the last first; "" where there is none. Pure.
 *
 * Quotes can only be recognized from the beginning, so that one which is too long to be read whole says
 * nothing at all.
 */
export function* forwarded(value: string): Generator<string> {
  if (value.length > LONGEST) return;
  yield* elementsOf(value)
    .map((parameters) => parameters.map(forOf).find((found) => found !== undefined) ?? "")
    .reverse();
}

function elementsOf(value: string): string[][] {
  const elements: string[][] = [[]];
  let start = 0;
  for (const { 0: found, index } of value.matchAll(SEPARATORS)) {
    if (found.length > 1 || found === '"') continue;
    elements.at(-1)?.push(value.slice(start, index));
    if (found === ",") elements.push([]);
    start = index + 1;
  }
  elements.at(-1)?.push(value.slice(start));
  return elements;
}

function forOf(parameter: string): string | undefined {
  const [, name = "", token, quoted] = PARAMETER.exec(parameter) ?? [];
  if (name.toLowerCase() !== "for") return undefined;
  return token ?? quoted?.replaceAll(/\\(.)/g, "$1");
}
