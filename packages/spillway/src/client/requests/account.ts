/** By whose credentials a request is sent: servers limit each of them apart. */
import { digest } from "../../internal/index.ts";
import type { ClientRequest } from "./request.ts";

/** Headers that hold a secret, as APIs name them. Cookies are none: they change, and tell sessions apart, not quotas. */
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

/** Parts of an `Authorization` that change with each request, and parts that say whose it is. */
const IS_SIGNED = /\b(?:oauth_)?(?:signature|response|mac)\s*=/i;
const IDENTITY =
  /(?<![^\s,])(?:credential|oauth_consumer_key|oauth_token|username|keyid|id)\s*=\s*"?([^",\s]+)/gi;
/** Of a credential of AWS, such as `AKIA…/20260102/eu-west-1/s3/aws4_request`, only the first part stays. */
const SCOPE = /\/.*$/;

/**
 * A digest of the credentials of a request; "" where it has none.
 *
 * Nobody can read a secret from what is kept, and nothing of it is in an event, an error or the name of a host. Of a
 * signature, which each request has another of, only the parts count that say whose it is. Pure.
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

/** Of `SharedKey account:signature`, as Azure, S3 and OSS have it, only the account stays. */
const KEYED = /^(?:SharedKey(?:Lite)?|AWS|OSS) ([^:]+):/i;

function identityIn(authorization = ""): string {
  const [, keyed] = KEYED.exec(authorization) ?? [];
  if (keyed !== undefined) return keyed;
  if (!IS_SIGNED.test(authorization)) return authorization;
  const identities = [...authorization.matchAll(IDENTITY)];
  return identities.map(([, identity = ""]) => identity.replace(SCOPE, "")).join(" ");
}
