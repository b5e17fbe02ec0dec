/**
 * Builds the labels of envoyproxy/ratelimit. All functions are pure.
 *
 * It names a limit by its domain and its levels, joined by dots. Its mapping for Prometheus cuts
 * that name at the dots: the first part is `domain`, then `key1` and `key2`; the rest is dropped.
 */
import type { DescriptorEntry, PathPart, Rule } from "../../rules/index.ts";
import { OTHER, shownValue } from "./descriptors.ts";
import type { Labels } from "./series.ts";

/** Whether a limit came with its request: no rule has its name. */
export function isGiven({ path }: Rule): boolean {
  return path.length === 0;
}

/** Returns the name of a limit, with values of the request if its rule asks for them. */
export function upstreamName(rule: Rule, entries: readonly DescriptorEntry[]): string {
  const parts = isGiven(rule) ? entries.map(entryPart) : pathParts(rule, entries);
  return [rule.domain, ...parts].join(".");
}

/** Returns the name for all values beyond the bound. */
export function otherName(rule: Rule, entries: readonly DescriptorEntry[]): string {
  // Keys of a limit that came with its request are chosen by the caller too.
  if (isGiven(rule)) return `${rule.domain}.${OTHER}`;
  return [rule.domain, ...pathParts(rule, entries.map(otherEntry))].join(".");
}

/** Returns the labels of a name; without `key2` if it has one level. */
export function labelsOf(name: string): Labels {
  const [domain = "", key1 = "", key2] = sanitized(name).split(".");
  return key2 === undefined ? { domain, key1 } : { domain, key1, key2 };
}

const ADDRESS = /\d{1,3}(?:\.\d{1,3}){3}/g;

/**
 * Replaces characters that statsd does not allow in names. Dots of IPv4 addresses would begin
 * further levels.
 */
function sanitized(name: string): string {
  return name.replace(/[:|]/g, "_").replace(ADDRESS, (address) => address.replaceAll(".", "_"));
}

function otherEntry({ key }: DescriptorEntry): DescriptorEntry {
  return { key, value: OTHER };
}

function entryPart({ key, value }: DescriptorEntry): string {
  return joined(shownValue(key), shownValue(value));
}

function joined(key: string, value: string | undefined): string {
  return value === undefined || value === "" ? key : `${key}_${value}`;
}

function pathParts({ path, metric }: Rule, entries: readonly DescriptorEntry[]): readonly string[] {
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
