import type { Command } from "commander";
import { SECOND } from "spillway/core";
import { printable } from "spillway/support";
import { listing } from "../process/console/index.ts";
import { readRuleFiles } from "../process/files/index.ts";
import { parseOptionsOf, sentinelAccessIn } from "../process/options/index.ts";
import { openStore } from "../process/stores/index.ts";
import {
  type DescriptorEntry,
  didYouMean,
  type Explanation,
  explain as explainMatch,
  match,
  parseRules,
  type Rule,
  type Rules,
} from "../rules/index.ts";
import { createService, type RuleDecision } from "../service/index.ts";
import { checkExplained, type ExplainOptions } from "./explain-options.ts";
import { classifiedQuery, type ExplainQuery } from "./explain-request.ts";

/**
 * `spillway explain`: prints which rules a request meets, and why it does not meet others.
 *
 * @throws RulesError, CommandError
 */
export async function explain(
  paths: readonly string[],
  options: ExplainOptions,
  command: Command,
): Promise<void> {
  checkExplained(options, command);
  const rules = parseRules(await readRuleFiles(paths), parseOptionsOf(options));
  const query = await queryBy(rules, options);
  if (query === undefined || !rules.domains.has(query.domain)) process.exitCode = 1;
  for (const line of query === undefined ? [] : explanation(rules, query)) console.log(line);
  if (options.store === undefined || query === undefined || query.descriptor.length === 0) return;
  for (const line of await left(rules, { ...options, ...query })) console.log(line);
  // A driver may still have active timers.
  process.exit(process.exitCode);
}

/** Returns the descriptors that the options name, or those of the request that they describe. */
async function queryBy(rules: Rules, options: ExplainOptions): Promise<ExplainQuery | undefined> {
  const { domain = "", descriptor = [], request } = options;
  if (request === undefined) return { domain, descriptor };
  const { heading, query } = await classifiedQuery(rules, request, options);
  console.log(heading);
  return query;
}

/** Explains a request for people. Pure. */
export function explanation(
  rules: Rules,
  { domain, descriptor, places = [] }: ExplainQuery,
): readonly string[] {
  const level = rules.domains.get(domain);
  if (level === undefined) return [unknownDomain(rules, domain)];
  const replaced = new Set(
    descriptor.flatMap((entries) => match(level, entries)?.rule.replaces ?? []),
  );
  return descriptor.flatMap((entries, index) => [
    `Descriptor ${shownEntries(entries)}${places[index] ?? ""}`,
    ...linesOf(explainMatch(level, entries), replaced).map((line) => `  ${line}`),
  ]);
}

/** The maximum number of domains listed after an unknown one. */
const MOST_DOMAINS = 20;

function unknownDomain({ domains }: Rules, domain: string): string {
  const known = [...domains.keys()].slice(0, MOST_DOMAINS).map((name) => printable(name));
  const more = domains.size - known.length;
  const others = more > 0 ? `, and ${more} more` : "";
  const hint = didYouMean(domain, domains.keys());
  return [
    `The domain ${printable(domain)} has no rules: no limit.`,
    ...(hint ? [hint] : []),
    `Domains with rules: ${known.join(", ")}${others}`,
  ].join(" ");
}

/** The maximum number of descriptors shown that a level does not match. */
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

/** Reads what is left in the budgets. */
async function left(
  rules: Rules,
  options: ExplainOptions & ExplainQuery,
): Promise<readonly string[]> {
  const { store: place = "memory", schema, domain, descriptor } = options;
  const sentinels = sentinelAccessIn(process.env);
  const settings = { deadline: 5 * SECOND, instances: 1, maxKeys: 1000, warn: console.error };
  const opened = await openStore(place, { ...settings, schema, sentinels });
  // Without jitter, so that the printed waits are exact.
  const service = createService({ rules, store: opened.store, random: () => 0 });
  const descriptors = descriptor.map((entries) => ({ entries }));
  const { outcomes } = await service.check({ domain, descriptors, count: 0 });
  opened.close();
  return [`In ${opened.where}`, ...outcomes.map((one) => `  ${leftOf(one)}`)];
}

function leftOf(outcome: RuleDecision | undefined): string {
  if (outcome === undefined) return "no limit";
  const { ok, limit, remaining, retryAfter, reason } = outcome.decision;
  if (outcome.rule.switchedOff !== undefined) return `${printable(limit)}: off`;
  if (outcome.rule.limit === "unlimited") return `${printable(limit)}: unlimited`;
  const when = Number.isFinite(retryAfter) ? `, the next in ${retryAfter} ms` : "";
  return `${printable(limit)}: ${remaining} left${ok ? "" : `, ${reason}${when}`}`;
}

function shownEntries(entries: readonly DescriptorEntry[]): string {
  return printable(entries.map(({ key, value }) => `${key}=${value}`).join(", "));
}
