/** Reads `jwt_providers`: whose tokens are believed. */
import { display } from "spillway/support";
import type { Node } from "yaml";
import { fieldValue, type RuleFields, readFields } from "../fields.ts";
import { readList, readText, readUnits } from "../scalars.ts";
import type { RuleSource } from "../source.ts";
import { PROVIDER_SHAPE } from "./field-table.ts";
import type { JwtProvider } from "./items.ts";
import { readRequired } from "./read-required.ts";
import { readTexts } from "./read-texts.ts";

/**
 * The providers of a file, by name. Wrong ones are undefined, so that uses of them are not reported
 * again; that of a wrong one without a name is `NAMELESS`.
 */
export type Providers = ReadonlyMap<string, JwtProvider | undefined>;

export const NAMELESS = "";

/**
 * The algorithms whose keys are public. With a shared secret, whoever can verify tokens could also
 * make them.
 */
export const ALGORITHMS: readonly string[] = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  ...["ES256", "ES384", "ES512", "EdDSA", "Ed25519"],
];

/** The maximum number of providers of a file: the keys of each are kept in memory. */
const MOST_PROVIDERS = 16;

/** Reads the providers of a file by name. Wrong ones are reported. */
export function readProviders(source: RuleSource, fields: RuleFields): Providers {
  const providers = new Map<string, JwtProvider | undefined>();
  const nodes = readList(source, fields, "jwt_providers");
  for (const node of nodes) {
    const { name, provider } = readProvider(source, node);
    if (name === NAMELESS || !providers.has(name)) providers.set(name, provider);
    else complain(source, node, { found: `a second ${display(name)}`, expected: OTHER_NAME });
  }
  if (nodes.length > MOST_PROVIDERS) {
    const place = fields.get("jwt_providers")?.name ?? null;
    const found = `${nodes.length} providers`;
    complain(source, place, { found, expected: `at most ${MOST_PROVIDERS}` });
  }
  return providers;
}

const OTHER_NAME = "another name for each provider";

type Complaint = { readonly found: string; readonly expected: string };

function complain(source: RuleSource, node: Node | null, complaint: Complaint): void {
  source.complain(node, { code: "bad-jwt-provider", ...complaint });
}

type NamedProvider = { readonly name: string; readonly provider: JwtProvider | undefined };

function readProvider(source: RuleSource, node: Node): NamedProvider {
  const fields = readFields(source, node, PROVIDER_SHAPE);
  if (fields === undefined) return { name: NAMELESS, provider: undefined };
  const name = readRequired(source, fields, { name: "name", place: node });
  const issuer = readRequired(source, fields, { name: "issuer", place: node });
  const jwks = readJwks(source, fields, node);
  const audiences = readTexts(source, fields, AUDIENCES);
  const algorithms = readTexts(source, fields, ALLOWED) ?? ALGORITHMS;
  const skew = readUnits(source, fields, SKEW);
  if (!(name && issuer && jwks) || skew === undefined) {
    return { name: name ?? NAMELESS, provider: undefined };
  }
  return { name, provider: Object.freeze({ name, issuer, jwks, audiences, algorithms, skew }) };
}

const AUDIENCES = {
  name: "audiences",
  code: "bad-jwt-provider",
  pattern: /./su,
  expected: "texts such as [shop]",
} as const;

const ALLOWED = {
  name: "algorithms",
  code: "bad-jwt-provider",
  pattern: new RegExp(`^(?:${ALGORITHMS.join("|")})$`),
  expected: `asymmetric algorithms: ${ALGORITHMS.join(", ")}`,
} as const;

const SKEW = {
  name: "clock_skew_seconds",
  code: "bad-jwt-provider",
  otherwise: 60,
  most: 300,
  ifMore: "Set the clocks of your machines: tokens would be believed long after their end",
} as const;

function readJwks(
  source: RuleSource,
  fields: RuleFields,
  place: Node,
): JwtProvider["jwks"] | undefined {
  const uri = readText(source, fields, "jwks_uri");
  const file = readText(source, fields, "jwks_file");
  if ((uri === undefined) === (file === undefined)) {
    const expected = "either jwks_uri or jwks_file";
    complain(source, place, { found: "both or none of them", expected });
    return undefined;
  }
  if (file !== undefined) return Object.freeze({ file });
  const text = uri as string;
  if (isTrustworthy(text)) return Object.freeze({ uri: text });
  const expected = "an https URL as jwks_uri, without a user; http only on this machine";
  const node = fieldValue(fields, "jwks_uri") ?? place;
  complain(source, node, { found: display(text), expected });
  return undefined;
}

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Whether nobody else can answer at a URL: who replaces keys can make tokens. */
function isTrustworthy(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.password !== "") return false;
  return url.protocol === "https:" || (url.protocol === "http:" && LOOPBACK.has(url.hostname));
}
