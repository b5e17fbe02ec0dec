/**
 * The labels of envoyproxy/ratelimit. It names a limit by its domain and its levels, with dots between
 * them, and its mapping for Prometheus cuts that name at the dots: the first part is `domain`, then
 * `key1` and `key2`, and the rest is dropped. All pure.
 */
import type { Entry, PathPart, Rule } from "../../rules/index.ts";
import { OTHER, shownValue } from "./descriptors.ts";
import type { Labels } from "./series.ts";

/** Whether a limit came with its request: no rule has its name. */
export function isGiven({ path }: Rule): boolean {
  return path.length === 0;
}

/** The name of a limit, with the values of a request where its rule asks for them. */
export function upstreamName(rule: Rule, entries: readonly Entry[]): string {
  const parts = isGiven(rule) ? entries.map(entryPart) : pathParts(rule, entries);
  return [rule.domain, ...parts].join(".");
}

/** The name that stands for all values beyond the most. */
export function otherName(rule: Rule, entries: readonly Entry[]): string {
  // Keys of a limit that came with its request are the caller's words too.
  if (isGiven(rule)) return `${rule.domain}.${OTHER}`;
  return [rule.domain, ...pathParts(rule, entries.map(otherEntry))].join(".");
}

/** The labels of a name; without `key2` where it has one level. */
export function labelsOf(name: string): Labels {
  const [domain = "", key1 = "", key2] = sanitized(name).split(".");
  return key2 === undefined ? { domain, key1 } : { domain, key1, key2 };
}

const ADDRESS = /\d{1,3}(?:\.\d{1,3}){3}/g;

/** As statsd wants names; dots of IPv4 addresses would begin further levels. */
function sanitized(name: string): string {
  return name.replace(/[:|]/g, "_").replace(ADDRESS, (address) => address.replaceAll(".", "_"));
}

function otherEntry({ key }: Entry): Entry {
  return { key, value: OTHER };
}

function entryPart({ key, value }: Entry): string {
  return joined(shownValue(key), shownValue(value));
}

function joined(key: string, value: string | undefined): string {
  return value === undefined || value === "" ? key : `${key}_${value}`;
}

function pathParts({ path, metric }: Rule, entries: readonly Entry[]): readonly string[] {
  const isAnyShared = path.some(({ shares }) => shares);
  return path.map((part, level) => {
    const value = shownValue(entries[level]?.value ?? "");
    if (part.shares) return joined(part.key, part.value);
    if (metric.detailed) return isAnyShared ? joined(part.key, value) : `${part.key}_${value}`;
    return joined(part.key, metric.levels[level] && isOpen(part) ? value : part.value);
  });
}

function isOpen({ value }: PathPart): boolean {
  return value === undefined || value.includes("*");
}
