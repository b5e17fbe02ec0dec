/** Which headers pass a proxy, in either direction. All functions are pure. */

/** Headers about one connection (RFC 9110, 7.6.1), which never pass. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Whether a header is about one connection. `name` is in lower case. */
export function isHopByHop(name: string): boolean {
  return HOP_BY_HOP.has(name);
}

/** Headers of a message, names and values in turn. */
export type FlatHeaders = readonly string[];

const NONE: ReadonlySet<string> = new Set();

/** Returns the names that `Connection` lists, in lower case. */
export function connectionOptions(headers: FlatHeaders): ReadonlySet<string> {
  let names: Set<string> | undefined;
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] as string;
    if (name.length !== CONNECTION.length || name.toLowerCase() !== CONNECTION) continue;
    names ??= new Set();
    for (const option of (headers[index + 1] as string).split(",")) {
      names.add(option.trim().toLowerCase());
    }
  }
  return names ?? NONE;
}

const CONNECTION = "connection";

/** Returns the headers of an upstream's response that pass, with some more at the end. */
export function responseHeaders(headers: FlatHeaders, more: FlatHeaders): string[] {
  const options = connectionOptions(headers);
  const passing: string[] = [];
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] as string;
    const lower = name.toLowerCase();
    if (HOP_BY_HOP.has(lower) || options.has(lower)) continue;
    passing.push(name, headers[index + 1] as string);
  }
  passing.push(...more);
  return passing;
}

/** Returns headers of undici as texts, whose characters are their bytes. */
export function asTexts(raw: unknown): string[] {
  return (raw as readonly (Buffer | string)[] | null | undefined)?.map(asText) ?? [];
}

function asText(part: Buffer | string): string {
  return typeof part === "string" ? part : part.toString("latin1");
}
