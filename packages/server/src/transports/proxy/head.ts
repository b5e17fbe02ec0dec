/**
 * Reads the head of a request, and refuses what two servers could read in two ways: no limit holds
 * if the upstream sees another request than the rules.
 */
import type { IncomingMessage } from "node:http";
import { badRequest, plainHeader, plainRequest } from "../asking/index.ts";
import { connectionOptions, isHopByHop } from "./headers.ts";
import { forwardedPath, targetParts } from "./target.ts";

/** A request that has one meaning. */
export type CheckedHead = {
  /** That of HTTP, such as `1.1`. */
  readonly version: string;
  readonly method: string;
  /** The path and the query as they were received. Some have no single meaning. */
  readonly target: string;
  /** The same in the spelling that is forwarded. */
  readonly path: string;
  readonly host: string;
  /** All headers that pass, names and values in turn, without `Host`. */
  readonly headers: readonly string[];
  readonly hasBody: boolean;
  readonly expectsContinue: boolean;
};

/** A name and a port, or an address in brackets (RFC 3986, without escapes). */
const HOST = /^(?:[\w.~!$&'()*+=-]+|\[[\da-f:.]+\])(?::\d{0,5})?$/i;

/** @throws RequestError `bad-request` */
export function checkHead(request: IncomingMessage): CheckedHead {
  const { method = "", url = "", rawHeaders, httpVersion } = request;
  if (httpVersion !== "1.1" && httpVersion !== "1.0") {
    throw badRequest(`Found HTTP/${httpVersion}, expected HTTP/1.1`);
  }
  const parts = targetParts(url);
  if (parts === undefined || url.includes("#")) {
    throw badRequest("Found a target that is neither a path nor a URL of HTTP, expected a path");
  }
  const fields = sortFields(rawHeaders);
  const host = hostOf(fields, parts.authority);
  return {
    version: httpVersion,
    method,
    target: parts.path,
    path: forwardedPath(parts.path),
    host,
    headers: fields.headers,
    hasBody: hasBody(fields, httpVersion),
    expectsContinue: httpVersion === "1.1" && /^100-continue$/i.test(fields.expect ?? ""),
  };
}

/** The headers that pass, and those that the proxy itself reads. */
export type SortedFields = {
  readonly headers: string[];
  readonly hosts: string[];
  expect: string | undefined;
  codings: string[];
  length: string | undefined;
};

/** Headers that `Connection` can't remove, because they say where a request goes and ends. */
const NEEDED = ["host", "content-length", "transfer-encoding", "content-type", "content-encoding"];

/** @throws RequestError `bad-request` */
export function sortFields(rawHeaders: readonly string[]): SortedFields {
  const options = connectionOptions(rawHeaders);
  for (const name of NEEDED) {
    if (options.has(name)) throw badRequest(`Found ${name} in Connection, which can't be removed`);
  }
  const fields: SortedFields = {
    headers: [],
    hosts: [],
    expect: undefined,
    codings: [],
    length: undefined,
  };
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    const lower = name.toLowerCase();
    if (!options.has(lower)) sortOne(fields, lower, [name, rawHeaders[index + 1] as string]);
  }
  return fields;
}

function sortOne(fields: SortedFields, lower: string, [name, value]: [string, string]): void {
  if (lower === "host") fields.hosts.push(value);
  else if (lower === "expect") fields.expect = value;
  else if (lower === "transfer-encoding") fields.codings.push(value);
  else if (lower === "content-length") {
    if (fields.length !== undefined) throw badRequest("Found Content-Length twice, expected one");
    fields.length = value;
    fields.headers.push(name, value);
  } else if (!isHopByHop(lower) && !isAlias(lower)) fields.headers.push(name, value);
}

/**
 * Whether a name is another spelling of a header that matters: many servers read `_` as `-`, so a
 * client could set with it what is removed or set here.
 */
function isAlias(lower: string): boolean {
  if (!lower.includes("_")) return false;
  const folded = lower.replaceAll("_", "-");
  return isHopByHop(folded) || NEEDED.includes(folded) || /^(?:x-|forwarded$|via$)/.test(folded);
}

/**
 * Returns the one host. An absolute target, or HTTP/2, names it too: both must name the same.
 *
 * @throws RequestError `bad-request`
 */
export function hostOf({ hosts }: SortedFields, authority: string | undefined): string {
  const [host = "", ...others] = hosts;
  if (others.length > 0) throw badRequest("Found Host more than once, expected one");
  if (!HOST.test(host)) throw badRequest("Found no usable Host, expected a name such as a.example");
  if (authority !== undefined && authority.toLowerCase() !== host.toLowerCase()) {
    throw badRequest(
      "Found another host in the target or :authority than in Host, expected the same",
    );
  }
  return host;
}

/** Node's parser has refused most mixtures already; what is left must be plain. */
function hasBody({ codings, length }: SortedFields, version: string): boolean {
  const [coding, ...others] = codings;
  if (coding === undefined) return length !== undefined && !/^0+$/.test(length);
  if (others.length > 0 || coding.toLowerCase() !== "chunked") {
    throw badRequest("Found a Transfer-Encoding other than chunked, expected none or chunked");
  }
  if (length !== undefined) throw badRequest("Found Content-Length beside Transfer-Encoding");
  if (version === "1.0") throw badRequest("Found Transfer-Encoding in HTTP/1.0, expected HTTP/1.1");
  return true;
}

/** A request as it is forwarded, and its client. */
type Forwarded = Pick<CheckedHead, "method" | "target" | "host"> & {
  /** All headers that are forwarded, names and values in turn. */
  readonly headers: readonly string[];
  readonly address: (v6Bits: number) => string;
};

/**
 * Returns what rules match: exactly the headers that are forwarded, and the path, of which all
 * spellings are alike to them.
 *
 * @throws RequestError `bad-request` if the path has more than one meaning
 */
export function normalHead({ method, target, host, headers, address }: Forwarded) {
  const header = (name: string) => plainHeader(name, valuesIn(headers, name));
  return plainRequest({ method, target, host, header, address });
}

function valuesIn(headers: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let index = 0; index < headers.length; index += 2) {
    if (headers[index]?.toLowerCase() === name) values.push(headers[index + 1] as string);
  }
  return values;
}
