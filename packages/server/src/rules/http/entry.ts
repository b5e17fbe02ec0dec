/** Finds the values of actions in a request. All functions are pure. */
import { matchesAll } from "./automaton.ts";
import type { HeaderMatch, HttpAction, JwtProvider, StringMatch } from "./items.ts";
import { normalPath } from "./normal-path.ts";
import { type NormalRequest, searched } from "./request-head.ts";

/** The bits of an IPv6 address that one client has. */
const CLIENT_BITS = 64;

/** The claims of a request's token, by the providers for whom it verifies. */
export type Claims = ReadonlyMap<JwtProvider, unknown>;

/** Returns the value of an action; undefined if the request has none. */
export function entryOf(
  action: HttpAction,
  request: NormalRequest,
  claims: Claims,
): string | undefined {
  switch (action.type) {
    case "remote_address":
      return request.address(CLIENT_BITS);
    case "masked_remote_address":
      return maskedAddress(action, request);
    case "request_headers":
      return request.header(action.name);
    case "query_parameters":
      return request.parameter(action.name);
    case "cookies":
      return request.cookie(action.name);
    case "method":
      return request.method;
    case "path":
      return action.text ?? normalPath(request.target, action.segments);
    case "generic_key":
      return action.value;
    case "header_value_match": {
      const areMatched = action.headers.every((header) => isMatched(header, request));
      return areMatched === action.isExpected ? action.value : undefined;
    }
    case "user_agent":
      return action.classes.find(({ contains, pattern }) =>
        pattern?.how === "safe_regex"
          ? matchesAll(pattern.automaton, request.userAgent)
          : contains.some((text) => request.userAgent.includes(text)),
      )?.name;
    case "jwt_claims":
      return claimText(claims.get(action.provider), action.path);
  }
}

/** Returns a text, number or boolean as text; undefined if the claim is none of these. */
function claimText(claims: unknown, path: readonly string[]): string | undefined {
  let value = claims;
  for (const name of path) {
    const isMember = typeof value === "object" && value !== null && Object.hasOwn(value, name);
    value = isMember ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
  }
  if (typeof value === "string") return value || undefined;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

/** Returns a network, such as `10.1.0.0/16`. */
function maskedAddress(
  { v4, v6 }: { readonly v4: number; readonly v6: number },
  { address }: NormalRequest,
): string {
  const text = address(v6);
  return text.includes(":") ? text : `${maskedIPv4(text, v4)}/${v4}`;
}

function maskedIPv4(text: string, bits: number): string {
  const octets = text.split(".").map((octet, index) => {
    const kept = Math.min(8, Math.max(0, bits - 8 * index));
    return Number(octet) & (0xff00 >> kept) & 0xff;
  });
  return octets.join(".");
}

/** Whether a header is as it must be, as Envoy decides it. */
function isMatched(match: HeaderMatch, request: NormalRequest): boolean {
  const { name, text, isPresent, isInverted, isMissingEmpty } = match;
  const value = request.header(name);
  if (text === undefined) return ((value !== undefined) === isPresent) !== isInverted;
  // Without the header, the text is not compared, not even if the result is to be turned around.
  if (value === undefined && !isMissingEmpty) return false;
  return isText(text, value ?? "") !== isInverted;
}

function isText(match: StringMatch, value: string): boolean {
  const { how, text, ignoresCase } = match;
  if (how === "safe_regex") return matchesAll(match.automaton, searched(value));
  const cut = how === "contains" ? searched(value) : value;
  const compared = ignoresCase ? cut.toLowerCase() : cut;
  switch (how) {
    case "exact":
      return compared === text;
    case "prefix":
      return compared.startsWith(text);
    case "suffix":
      return compared.endsWith(text);
    case "contains":
      return compared.includes(text);
  }
}
