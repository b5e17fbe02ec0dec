/** Compares two sets of rules. All functions are pure. */
import { afterDelay, printable } from "spillway/support";
import type { HttpItem, Rule, Rules } from "../../rules/index.ts";
import { counted, describeRule } from "../console/index.ts";

export type LimitsDiff = {
  readonly added: readonly Rule[];
  readonly removed: readonly Rule[];
  readonly changed: readonly { readonly before: Rule; readonly now: Rule }[];
};

/** Everything that differs: limits, and the domains whose `http` section differs. */
export type RulesDiff = LimitsDiff & { readonly sections: readonly string[] };

/** The number of rules compared without a pause. */
const AT_ONCE = 50;

/** Compares rules by name, some at a time, so that other work can run in between. */
export async function diffOf(before: readonly Rule[], now: readonly Rule[]): Promise<LimitsDiff> {
  const old = new Map(before.map((rule) => [rule.name, rule]));
  const added: Rule[] = [];
  const changed: { before: Rule; now: Rule }[] = [];
  for (const [index, rule] of now.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await nextTurn();
    const known = old.get(rule.name);
    if (known === undefined) added.push(rule);
    else if (contentOf(known) !== contentOf(rule)) changed.push({ before: known, now: rule });
    old.delete(rule.name);
  }
  return { added, removed: [...old.values()], changed };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => afterDelay(0, resolve));
}

/** Returns everything a rule contains except its place. */
function contentOf({ place: _, parents, ...content }: Rule): string {
  return JSON.stringify([content, parents.map(({ rule }) => rule.name)]);
}

/** Returns the domains whose `http` section is another one. */
export function changedSections(before: Rules["http"], now: Rules["http"]): readonly string[] {
  const domains = new Set([...before.keys(), ...now.keys()]);
  return [...domains].filter((domain) => textOf(before.get(domain)) !== textOf(now.get(domain)));
}

/** Returns everything that a section contains except places. */
function textOf(items: readonly HttpItem[] = []): string {
  // An automaton is large, and follows from its pattern.
  const shown = (name: string, value: unknown) => (name === "automaton" ? undefined : value);
  return JSON.stringify(
    items.map(({ match, actions }) => [match, actions]),
    shown,
  );
}

/** The maximum number of lines shown of a change. */
const MOST_LINES = 20;

/** Describes a change for people: the counts, and a line for each of the first rules. */
export function describeDiff({ added, removed, changed }: LimitsDiff): readonly string[] {
  // Only the shown rules are formatted: ten thousand would delay all requests.
  const lines = [
    ...removed.slice(0, MOST_LINES).map((rule) => `- ${named(rule)}`),
    ...changed
      .slice(0, MOST_LINES)
      .map(({ before, now }) => `~ ${named(now)}, before: ${describeRule(before)}`),
    ...added.slice(0, MOST_LINES).map((rule) => `+ ${named(rule)}`),
  ];
  const count = removed.length + changed.length + added.length;
  const more = count - MOST_LINES;
  const amounts = `${added.length} added, ${changed.length} changed, ${removed.length} removed`;
  return [
    count === 0 ? "no limit has changed" : `${counted(count, "limit")}: ${amounts}`,
    ...lines.slice(0, MOST_LINES),
    ...(more > 0 ? [`and ${more} more`] : []),
  ];
}

function named(rule: Rule): string {
  return `${printable(rule.name, 120)}  ${describeRule(rule)}`;
}
