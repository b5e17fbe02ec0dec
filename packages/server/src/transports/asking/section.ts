/** Finds the `http` section that a proxy asks for. */
import { display } from "spillway/support";
import {
  type DescriptorEntry,
  type HttpItem,
  type Level,
  listRules,
  match,
  type Rule,
} from "../../rules/index.ts";
import { RequestError, type Service } from "../../service/index.ts";

/** The rules of one domain for HTTP requests. */
export type HttpSection = {
  readonly domain: string;
  readonly level: Level;
  readonly items: readonly HttpItem[];
};

/**
 * Returns the section of a domain. Default: the only one there is.
 *
 * @throws RequestError `unknown-domain`, `empty-domain`
 */
export function sectionOf(
  { rules }: Pick<Service, "rules">,
  named: string | undefined,
): HttpSection {
  const { http, domains } = rules;
  const [only] = http.keys();
  if (named === undefined && http.size > 1) throw ambiguous();
  const domain = named ?? only;
  const items = domain === undefined ? undefined : http.get(domain);
  const level = domain === undefined ? undefined : domains.get(domain);
  if (domain === undefined || items === undefined || level === undefined) throw unknown(domain);
  return { domain, level, items };
}

/**
 * Refuses requests that meet a concurrency limit: a proxy does not report their ends.
 *
 * @throws RequestError `wrong-kind`
 */
export function checkEnds(
  { level }: HttpSection,
  descriptors: readonly { readonly entries: readonly DescriptorEntry[] }[],
): void {
  if (!hasConcurrency(level)) return;
  for (const { entries } of descriptors) {
    const rule = match(level, entries)?.rule;
    const all = rule === undefined ? [] : [rule, ...rule.parents.map((parent) => parent.rule)];
    const found = all.find(isConcurrency);
    if (found !== undefined) throw wrongKind(found);
  }
}

const known = new WeakMap<Level, boolean>();

function hasConcurrency(level: Level): boolean {
  const has =
    known.get(level) ?? listRules({ domains: new Map([["", level]]) }).some(isConcurrency);
  known.set(level, has);
  return has;
}

function isConcurrency({ limit }: Rule): boolean {
  return limit !== "unlimited" && limit.kind === "concurrency";
}

function ambiguous(): RequestError {
  const detail = "Found several domains with an http section, expected the request to name one";
  return new RequestError({ status: 400, code: "empty-domain", detail });
}

function unknown(domain: string | undefined): RequestError {
  const found = domain === undefined ? "no http section" : `the domain ${display(domain)}`;
  const detail = `Found ${found}, expected a domain whose rule file has an http section`;
  return new RequestError({ status: 404, code: "unknown-domain", detail });
}

function wrongKind({ name }: Rule): RequestError {
  const detail =
    `Found the concurrency limit ${display(name)}, expected only rates: a proxy that asks first ` +
    "does not report when a request ends, so its lease would last until its ttl";
  return new RequestError({ status: 400, code: "wrong-kind", detail });
}
