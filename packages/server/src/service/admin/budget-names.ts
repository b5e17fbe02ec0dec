/** Finds the rules of descriptors for administrators, and names their budgets. */
import { createHash } from "node:crypto";
import { display, nearest } from "spillway/support";
import {
  type DescriptorEntry,
  explain,
  type Level,
  type Match,
  match,
  partName,
  type Rules,
} from "../../rules/index.ts";
import type { KeyRequest } from "../contracts.ts";
import { RequestError } from "../request-error.ts";

/** A descriptor that leads to a limit. */
export type NamedBudget = Match & { readonly budget: string };

/**
 * Returns the budgets that all descriptors lead to.
 *
 * @throws RequestError `unknown-domain`, `unknown-limit`
 */
export function budgetsNamed(
  rules: Rules,
  { domain, descriptors }: KeyRequest,
): readonly NamedBudget[] {
  const level = rules.domains.get(domain);
  if (level === undefined)
    throw unknownName({ scope: "domain", name: domain }, rules.domains.keys());
  return descriptors.map(({ entries }, place) => {
    const found = match(level, entries);
    if (found === undefined || found.rule.limit === "unlimited") {
      throw noLimit({ level, entries, place });
    }
    return { ...found, budget: budgetName(found, entries) };
  });
}

/** The longest name of a budget, in characters. Longer ones end with a digest. */
const LONGEST_NAME = 300;

/** Returns a budget's name, such as `shop/user=ann`. Two budgets never share one. Pure. */
function budgetName({ rule }: Match, entries: readonly DescriptorEntry[]): string {
  const [domain = ""] = rule.name.split("/", 1);
  const parts = rule.path.map(({ key, value, shares }, level) => {
    const entry = entries[level] as DescriptorEntry;
    const named = { key: key.includes("*") ? entry.key : key, shares };
    return partName({ ...named, value: shares ? value : entry.value });
  });
  const name = [domain, ...parts].join("/");
  if (name.length <= LONGEST_NAME) return name;
  const digest = createHash("sha256").update(name, "utf16le").digest("base64url");
  return `${name.slice(0, LONGEST_NAME - digest.length - 1)}…${digest}`;
}

type Unmatched = {
  readonly level: Level;
  readonly entries: readonly DescriptorEntry[];
  readonly place: number;
};

function noLimit({ level, entries, place }: Unmatched): RequestError {
  const shown = display(entries.map(({ key, value }) => `${key}=${value}`).join(","));
  const { why = "its rule is unlimited" } = explain(level, entries);
  const detail =
    `Found ${shown} as descriptors[${place}], expected one that leads to a limit: ${why}; ` +
    "spillway explain shows each step";
  return new RequestError({ status: 404, code: "unknown-limit", detail });
}

/** The maximum number of known names in a message. */
const MOST_KNOWN = 5;

type UnknownName = { readonly scope: "domain" | "limit" | "rule"; readonly name: string };

/** Returns the error for a name that no rule has. Pure. */
export function unknownName({ scope, name }: UnknownName, known: Iterable<string>): RequestError {
  const all = [...known];
  const near = nearest(name, all);
  const some = all.slice(0, MOST_KNOWN).join(", ");
  const more = all.length > MOST_KNOWN ? `, and ${all.length - MOST_KNOWN} more` : "";
  const hint = near === undefined ? `: ${some}${more}` : `. Did you mean ${near}?`;
  const detail = `Found the ${scope} ${display(name)}, expected one of the rules in use${hint}`;
  const code = scope === "domain" ? "unknown-domain" : "unknown-limit";
  return new RequestError({ status: 404, code, detail });
}
