/** Builds commands to paste from the rules in use. All functions are pure. */
import {
  type DescriptorEntry,
  listRules,
  match,
  type Rule,
  type Rules,
} from "../../rules/index.ts";

/** The longest name used in an example, in characters. */
const LONGEST_NAME = 200;

/**
 * Returns `curl` lines for the first two limits; fewer if there are fewer limits. If rules have an
 * `http` section, also one as nginx asks.
 */
export function curlLines(rules: Rules, url: string): readonly string[] {
  const [first, second = first] = examples(rules);
  if (first === undefined || second === undefined) return [`curl -s ${url}/healthcheck`];
  const lines = [curl(`${url}/v1/limit`, first), curl(`${url}/json`, second)];
  return [...lines, ...authLines(rules, url)];
}

function authLines({ http }: Rules, url: string): readonly string[] {
  const [domain] = http.keys();
  if (domain === undefined) return [];
  const query = http.size === 1 ? "" : `?domain=${encodeURIComponent(domain)}`;
  const headers = ASKED.map((header) => `-H '${header}'`).join(" ");
  return [`curl -si '${url}/auth/nginx${query.replaceAll("'", "%27")}' ${headers}`];
}

/** The headers in which nginx passes on a request. */
const ASKED = [
  "X-Original-Method: GET",
  "X-Original-URI: /",
  "X-Original-Host: localhost",
  "X-Forwarded-For: 192.0.2.1",
];

/** Returns requests that meet the first two limits that can be met. */
function examples(rules: Rules) {
  const requests = [];
  for (const rule of listRules(rules)) {
    if (rule.limit === "unlimited" || rule.name.length > LONGEST_NAME) continue;
    const entries = entriesFor(rules, rule);
    if (entries === undefined) continue;
    if (requests.push({ domain: rule.domain, descriptors: [{ entries }] }) === 2) break;
  }
  return requests;
}

function curl(url: string, body: unknown): string {
  const json = JSON.stringify(body)
    .replace(/[^ -~]/g, inAscii)
    .replaceAll("'", "'\\''");
  return `curl -s ${url} -H 'content-type: application/json' -d '${json}'`;
}

/** Escapes everything that a terminal or a shell could interpret. */
function inAscii(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Returns entries that lead to a rule, with values that match no other descriptor. */
function entriesFor(rules: Rules, rule: Rule): readonly DescriptorEntry[] | undefined {
  const level = rules.domains.get(rule.domain);
  for (let number = 1; level !== undefined && number <= MOST_TRIED; number++) {
    const entries = rule.path.map(({ key, value = "*" }) => ({
      key: key.replaceAll("*", "any"),
      value: value.replaceAll("*", value === "*" ? `somebody-${number}` : "any"),
    }));
    if (match(level, entries)?.rule === rule) return entries;
  }
  return undefined;
}

/** The maximum number of rules that are tried. Some rules are never reached. */
const MOST_TRIED = 100;
