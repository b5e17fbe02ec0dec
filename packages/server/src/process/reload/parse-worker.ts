/** Runs in a thread of its own: parses rule files, and sends the rules in pieces. */
import { parentPort, workerData } from "node:worker_threads";
import {
  type FlatNode,
  flatten,
  type HttpItem,
  type ParseOptions,
  parseRules,
  type RuleFile,
  type RuleProblem,
  RulesError,
} from "../../rules/index.ts";

/** The thread's task. */
export type ParseTask = { readonly files: readonly RuleFile[]; readonly options: ParseOptions };

/** A domain, and the items of its `http` section. */
type FlatDomain = readonly [domain: string, items: readonly HttpItem[]];

/**
 * The thread's messages: first the head of the rules, then more nodes at each request, and none at
 * the end.
 */
export type ParseMessage =
  | { readonly problems: readonly RuleProblem[]; readonly more: number }
  | { readonly domains: readonly FlatDomain[]; readonly warnings: readonly RuleProblem[] }
  | { readonly nodes: readonly FlatNode[] };

/**
 * The number of nodes in a message. Reading them takes the other thread less than a millisecond.
 */
const AT_ONCE = 100;

function postResult(message: ParseMessage): void {
  parentPort?.postMessage(message);
}

try {
  const { files, options } = workerData as ParseTask;
  const rules = parseRules(files, options);
  const nodes = flatten(rules);
  const names = [...rules.domains.keys()];
  const domains = names.map((name): FlatDomain => [name, rules.http.get(name) ?? []]);
  postResult({ domains, warnings: rules.warnings });
  parentPort?.on("message", () => {
    const some: FlatNode[] = [];
    while (some.length < AT_ONCE) {
      const { value, done } = nodes.next();
      if (done) break;
      some.push(value);
    }
    postResult({ nodes: some });
    if (some.length === 0) parentPort?.close();
  });
} catch (error) {
  if (!(error instanceof RulesError)) throw error;
  postResult({ problems: error.problems, more: error.more });
}
