/** Commands to paste, made of the rules that are served. All pure. */
import { type Entry, listRules, match, type Rule, type Rules } from "../rules/index.ts";

/** Names longer than this make no example, in characters. */
const LONGEST_NAME = 200;

/** Two `curl` lines that ask for the first limits there are; fewer where there are none. */
export function curlLines(rules: Rules, url: string): readonly string[] {
  const [first, second = first] = listRules(rules).filter(
    ({ name, limit }) => limit !== "unlimited" && name.length <= LONGEST_NAME,
  );
  if (first === undefined || second === undefined) return [`curl -s ${url}/healthcheck`];
  return [
    curl(`${url}/v1/limit`, requestFor(rules, first)),
    curl(`${url}/json`, requestFor(rules, second)),
  ];
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

function requestFor(rules: Rules, rule: Rule) {
  return { domain: rule.domain, descriptors: [{ entries: entriesFor(rules, rule) }] };
}

/** Entries that lead to a rule, with values that no other descriptor of the file names. */
function entriesFor(rules: Rules, rule: Rule): readonly Entry[] {
  const branches = rules.domains.get(rule.domain) ?? new Map();
  for (let number = 1; ; number++) {
    const somebody = `somebody-${number}`;
    const entries = rule.path.map(({ key, value = somebody }) => ({ key, value }));
    if (match(branches, entries)?.rule === rule) return entries;
  }
}
