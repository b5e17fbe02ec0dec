/** Commands to paste, made of the rules that are served. All pure. */
import { type Entry, listRules, match, type Rule, type Rules } from "../../rules/index.ts";

/** Names longer than this make no example, in characters. */
const LONGEST_NAME = 200;

/** Two `curl` lines that ask for the first limits there are; fewer where there are none. */
export function curlLines(rules: Rules, url: string): readonly string[] {
  const [first, second = first] = examples(rules);
  if (first === undefined || second === undefined) return [`curl -s ${url}/healthcheck`];
  return [curl(`${url}/v1/limit`, first), curl(`${url}/json`, second)];
}

/** Requests that meet the first two limits that can be met. */
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

/** Whatever the terminal, and whatever a rule's value would do to it. */
function inAscii(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Entries that lead to a rule, with values that no other descriptor of the file is for. */
function entriesFor(rules: Rules, rule: Rule): readonly Entry[] | undefined {
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

/** Some rules are never reached. */
const MOST_TRIED = 100;
