/** Reads the head of a request of HTTP/2, as one that HTTP/1.1 carries without a second meaning. */
import { METHODS } from "node:http";
import { RequestError } from "../../../service/index.ts";
import { badRequest } from "../../asking/index.ts";
import { type CheckedHead, hostOf, sortFields } from "../head.ts";
import { forwardedPath } from "../target.ts";

/** The longest headers, in characters of names and values: what Node's HTTP/1 admits. */
export const LONGEST_HEADERS = 16_384;

/** Those that HTTP/1 admits; a CONNECT has no path. */
const KNOWN: ReadonlySet<string> = new Set(METHODS.filter((method) => method !== "CONNECT"));

/** Fields of one connection, which HTTP/2 forbids (RFC 9113, 8.2.2). */
const FORBIDDEN: ReadonlySet<string> = new Set([
  "connection",
  "http2-settings",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
  "upgrade",
]);

const NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Characters of a target. HTTP/1 ends it at a space. */
const PATH = /^\/[^\0-\x20#\x7f]*$/;

/**
 * Checks a head. Node has refused most broken ones already; what is left must be plain.
 *
 * @throws RequestError `bad-request`, `headers-too-large`
 */
export function checkStreamHead(
  rawHeaders: readonly string[],
  { hasEnded }: { readonly hasEnded: boolean },
): CheckedHead {
  const { pseudo, flat } = split(rawHeaders);
  const { method, path } = lineOf(pseudo);
  const fields = sortFields(joinCookies(flat));
  const authority = pseudo.get(":authority");
  if (fields.hosts.length === 0 && authority !== undefined) fields.hosts.push(authority);
  const host = hostOf(fields, authority);
  return {
    version: "2.0",
    method,
    target: path,
    path: forwardedPath(path),
    host,
    headers: fields.headers,
    hasBody: hasBody(fields.length, hasEnded),
    expectsContinue: /^100-continue$/i.test(fields.expect ?? ""),
  };
}

type Parts = { readonly pseudo: ReadonlyMap<string, string>; readonly flat: readonly string[] };

function split(rawHeaders: readonly string[]): Parts {
  const pseudo = new Map<string, string>();
  const flat: string[] = [];
  let length = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = "", value = ""] = rawHeaders.slice(index, index + 2);
    length += name.length + value.length;
    if (name.startsWith(":")) addPseudo(pseudo, [name, value]);
    else if (!NAME.test(name) || !VALUE.test(value) || FORBIDDEN.has(name)) throw badField(name);
    else flat.push(name, value);
  }
  if (length <= LONGEST_HEADERS) return { pseudo, flat };
  const detail = `Found too many bytes of headers, expected at most ${LONGEST_HEADERS}`;
  throw new RequestError({ status: 431, code: "headers-too-large", detail });
}

const PSEUDO: ReadonlySet<string> = new Set([":method", ":scheme", ":authority", ":path"]);

function addPseudo(pseudo: Map<string, string>, [name, value]: [string, string]): void {
  if (!PSEUDO.has(name) || pseudo.has(name)) {
    throw badRequest("Found an unknown or repeated pseudo-header, expected each of HTTP/2's once");
  }
  pseudo.set(name, value);
}

function badField(name: string): RequestError {
  if (FORBIDDEN.has(name)) return badRequest(`Found ${name}, which HTTP/2 forbids, expected none`);
  return badRequest("Found a header with invalid characters, expected visible ones");
}

function lineOf(pseudo: ReadonlyMap<string, string>) {
  const method = pseudo.get(":method") ?? "";
  if (!KNOWN.has(method)) throw badRequest("Found an unknown method, expected one such as GET");
  const path = pseudo.get(":path") ?? "";
  if (!PATH.test(path)) throw badRequest("Found a :path that is no path, expected one such as /a");
  return { method, path };
}

/** A client may split cookies, of which HTTP/1.1 has one field (RFC 9113, 8.2.3). */
function joinCookies(flat: readonly string[]): readonly string[] {
  const cookies: string[] = [];
  const joined: string[] = [];
  for (let index = 0; index < flat.length; index += 2) {
    const [name = "", value = ""] = flat.slice(index, index + 2);
    if (name === "cookie") cookies.push(value);
    else joined.push(name, value);
  }
  if (cookies.length > 0) joined.push("cookie", cookies.join("; "));
  return joined;
}

/** Node compares a length with what arrives, and resets the stream if they differ. */
function hasBody(length: string | undefined, hasEnded: boolean): boolean {
  if (length === undefined) return !hasEnded;
  if (!/^\d{1,15}$/.test(length)) throw badRequest("Found an invalid Content-Length");
  if (hasEnded && Number(length) > 0) throw badRequest("Found a Content-Length without a body");
  return Number(length) > 0;
}
