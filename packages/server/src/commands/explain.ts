import { printable, SECOND } from "spillway/core";
import {
  type Entry,
  type Explanation,
  explain as explainMatch,
  match,
  parseRules,
  type Rule,
  type Rules,
} from "../rules/index.ts";
import { createService, type Outcome } from "../service/index.ts";
import type { ExplainOptions } from "./explain-options.ts";
import { listing } from "./listing.ts";
import { readRuleFiles } from "./rule-files.ts";
import { parseOptionsOf } from "./rule-options.ts";
import { openStore } from "./store/open-store.ts";
import { sentinelAccessIn } from "./upstream-store.ts";

/**
 * `spillway explain`: says which rules a request meets, and why not others.
 *
 * @throws RulesError, CommandError
 */
export async function explain(paths: readonly string[], options: ExplainOptions): Promise<void> {
  const rules = parseRules(await readRuleFiles(paths), parseOptionsOf(options));
  for (const line of explanation(rules, options)) console.log(line);
  if (options.store === undefined) return;
  for (const line of await left(rules, options)) console.log(line);
  // A driver may have timers still.
  process.exit();
}

type Asked = Pick<ExplainOptions, "domain" | "descriptor">;

/** What a person reads of a request. Pure. */
export function explanation(rules: Rules, { domain, descriptor }: Asked): readonly string[] {
  const level = rules.domains.get(domain);
  if (level === undefined) return [`No rules are for the domain ${printable(domain)}: no limit`];
  const replaced = new Set(
    descriptor.flatMap((entries) => match(level, entries)?.rule.replaces ?? []),
  );
  return descriptor.flatMap((entries) => [
    `Descriptor ${shownEntries(entries)}`,
    ...linesOf(explainMatch(level, entries), replaced).map((line) => `  ${line}`),
  ]);
}

/** Passed-over descriptors that are shown of one level. */
const MOST_SHOWN = 10;

function linesOf(
  { steps, rule, why }: Explanation,
  replaced: ReadonlySet<string>,
): readonly string[] {
  const walked = steps.flatMap(({ entry, taken, passedOver, others }) => [
    `${shownEntries([entry])} -> ${printable(taken ?? "nothing")}`,
    ...passedOver.slice(0, MOST_SHOWN).map(({ name, why }) => `  not ${printable(name)}: ${why}`),
    ...(passedOver.length > MOST_SHOWN ? [`  nor ${passedOver.length - MOST_SHOWN} more`] : []),
    ...(others > 0 ? [`  not ${others} with other keys`] : []),
  ]);
  if (rule === undefined) return [...walked, `no limit: ${why}`];
  if (rule.label !== undefined && replaced.has(rule.label) && rule.limit !== "unlimited") {
    return [...walked, `no limit: another descriptor replaces ${printable(rule.label)}`];
  }
  return [...walked, ...limitsOf(rule)];
}

function limitsOf(rule: Rule): readonly string[] {
  const parents = rule.parents.map((parent) => parent.rule);
  const heading = parents.length === 0 ? "takes from" : "takes from all of these, or from none";
  const places = [rule, ...parents].map(({ place }) => `${printable(place.file)}:${place.line}`);
  const lines = listing([rule, ...parents]);
  return [heading, ...lines.map((line, index) => `${line}  (${places[index]})`)];
}

/** What the budgets have left. */
async function left(rules: Rules, options: ExplainOptions): Promise<readonly string[]> {
  const { store: place = "memory", schema, domain, descriptor } = options;
  const sentinels = sentinelAccessIn(process.env);
  const settings = { deadline: 5 * SECOND, instances: 1, maxKeys: 1000, warn: console.error };
  const opened = await openStore(place, { ...settings, schema, sentinels });
  const service = createService({ rules, store: opened.store });
  const descriptors = descriptor.map((entries) => ({ entries }));
  const { outcomes } = await service.check({ domain, descriptors, count: 0 });
  opened.close();
  return [`In ${opened.where}`, ...outcomes.map((one) => `  ${leftOf(one)}`)];
}

function leftOf(outcome: Outcome | undefined): string {
  if (outcome === undefined) return "no limit";
  const { ok, limit, remaining, retryAfter, reason } = outcome.decision;
  if (outcome.rule.limit === "unlimited") return `${printable(limit)}: unlimited`;
  const when = Number.isFinite(retryAfter) ? `, the next in ${retryAfter} ms` : "";
  return `${printable(limit)}: ${remaining} left${ok ? "" : `, ${reason}${when}`}`;
}

function shownEntries(entries: readonly Entry[]): string {
  return printable(entries.map(({ key, value }) => `${key}=${value}`).join(", "));
}
