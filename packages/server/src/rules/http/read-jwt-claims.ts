/** Reads a `jwt_claims`: which claim of which provider's tokens. */
import { display } from "spillway/support";
import type { Node } from "yaml";
import { didYouMean, fieldValue, type RuleFields } from "../fields.ts";
import { readBoolean, readText } from "../scalars.ts";
import type { RuleSource } from "../source.ts";
import type { JwtClaimsAction, JwtProvider } from "./items.ts";
import { NAMELESS, type Providers } from "./read-providers.ts";
import { readTexts } from "./read-texts.ts";

const CLAIM_PATH = {
  name: "claim_path",
  code: "bad-action",
  pattern: /./su,
  expected: "the names that lead to a claim, such as [sub] or [realm, plan]",
} as const;

/** Reads the fields; undefined if they are wrong, which is reported. */
export function readJwtClaims(
  source: RuleSource,
  fields: RuleFields,
  { place, providers }: { readonly place: Node; readonly providers: Providers },
): JwtClaimsAction | undefined {
  const provider = providerOf(source, fields, { place, providers });
  const path = readTexts(source, fields, CLAIM_PATH);
  const isSkipped = readBoolean(source, fields, "skip_if_absent");
  const refusesInvalid = readBoolean(source, fields, "refuse_invalid");
  if (path === undefined) {
    const { code, expected } = CLAIM_PATH;
    source.complain(place, { code, found: "no claim_path", expected });
  }
  if (path === undefined || provider === undefined) return undefined;
  return { type: "jwt_claims", provider, path, isSkipped, refusesInvalid };
}

function providerOf(
  source: RuleSource,
  fields: RuleFields,
  { place, providers }: { readonly place: Node; readonly providers: Providers },
): JwtProvider | undefined {
  const name = readText(source, fields, "provider");
  const [only] = providers.values();
  if (name === undefined && providers.size === 1) return only;
  if (name !== undefined && providers.has(name)) return providers.get(name);
  // A wrong provider without a name, which is reported, may be the one.
  if (providers.has(NAMELESS)) return undefined;
  const names = [...providers.keys()];
  const found = name === undefined ? "no provider" : display(name);
  const known = names.length === 0 ? "of which this file has none" : `one of ${names.join(", ")}`;
  const expected = `the name of one of the file's jwt_providers: ${known}`;
  const hint = name === undefined ? undefined : didYouMean(name, names);
  const node = fieldValue(fields, "provider") ?? place;
  source.complain(node, { code: "bad-action", found, expected, hint });
  return undefined;
}
