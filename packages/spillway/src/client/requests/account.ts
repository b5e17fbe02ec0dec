/** Identifies the credentials of a request, because servers limit each separately. */
import { digest } from "../../internal/index.ts";
import type { ClientRequest } from "./request.ts";

/**
 * Headers with a secret, by the names that APIs use. Cookies are left out: they change, and
 * identify sessions, not quotas.
 */
const HEADERS = [
  "x-api-key",
  "api-key",
  "apikey",
  "x-goog-api-key",
  "x-auth-token",
  "x-access-token",
  "private-token",
  "ocp-apim-subscription-key",
  "x-rapidapi-key",
] as const;
const KEYS_IN_QUERY = /[?&](?:key|api[_-]?key|access_token)=([^&#]*)/gi;

/**
 * Fields of an `Authorization` that change with each request; and fields that identify the account.
 */
const IS_SIGNED = /\b(?:oauth_)?(?:signature|response|mac)\s*=/i;
const IDENTITY =
  /(?<![^\s,])(?:credential|oauth_consumer_key|oauth_token|username|keyid|id)\s*=\s*"?([^",\s]+)/gi;
/**
 * In a credential of AWS, such as `AKIA…/20260102/eu-west-1/s3/aws4_request`, only the first part
 * is kept.
 */
const SCOPE = /\/.*$/;

/**
 * Returns a digest of the credentials of a request; "" if it has none. Pure.
 *
 * No secret can be read from the digest, and none is in an event, an error or the name of a host. A
 * signature differs for each request, so only the parts of it that identify the account count.
 */
export function accountOf({ url, header }: Pick<ClientRequest, "url" | "header">): string {
  const parts = [
    identityIn(header("authorization")),
    ...HEADERS.map((name) => header(name) ?? ""),
    ...keysInQuery(url),
  ];
  return parts.every((part) => part === "") ? "" : digest(JSON.stringify(parts));
}

function keysInQuery(url: string): readonly string[] {
  if (!url.includes("?")) return [];
  return [...url.matchAll(KEYS_IN_QUERY)].map(([, key = ""]) => key);
}

/** In `SharedKey account:signature`, as Azure, S3 and OSS use it, only the account is kept. */
const KEYED = /^(?:SharedKey(?:Lite)?|AWS|OSS) ([^:]+):/i;

function identityIn(authorization = ""): string {
  const [, keyed] = KEYED.exec(authorization) ?? [];
  if (keyed !== undefined) return keyed;
  if (!IS_SIGNED.test(authorization)) return authorization;
  const identities = [...authorization.matchAll(IDENTITY)];
  return identities.map(([, identity = ""]) => identity.replace(SCOPE, "")).join(" ");
}
