/**
 * Parses rule files in another thread while this one keeps answering: 10 000 rules take a second.
 */
import { on } from "node:events";
import { Worker } from "node:worker_threads";
import {
  type ParseOptions,
  Rebuilder,
  type Rule,
  type RuleFile,
  type Rules,
  RulesError,
} from "../../rules/index.ts";
import { packageFile } from "../files/index.ts";
import type { ParseMessage, ParseTask } from "./parse-worker.ts";

/** Rules, and a list of all of them. */
export type Parsed = { readonly rules: Rules; readonly list: readonly Rule[] };

/**
 * Parses rule files as `parseRules` does.
 *
 * @throws RulesError
 */
export async function parseAside(
  files: readonly RuleFile[],
  options: ParseOptions,
): Promise<Parsed> {
  const workerData: ParseTask = { files, options };
  const worker = new Worker(packageFile("dist/process/reload/parse-worker.js"), { workerData });
  try {
    return await collected(worker);
  } finally {
    void worker.terminate();
  }
}

async function collected(worker: Worker): Promise<Parsed> {
  const rebuilder = new Rebuilder();
  const list: Rule[] = [];
  let warnings: Rules["warnings"] = [];
  // Each message is requested, so that other work can run between two of them.
  for await (const [message] of on(worker, "message", { close: ["exit"] })) {
    const said = message as ParseMessage;
    if ("problems" in said) throw new RulesError(said.problems, said.more);
    if ("domains" in said) {
      for (const [domain, items] of said.domains) rebuilder.addDomain(domain, items);
      warnings = said.warnings;
    } else {
      if (said.nodes.length === 0) return { rules: rebuilder.done(warnings), list };
      for (const node of said.nodes) {
        const rule = rebuilder.add(node);
        if (rule !== undefined) list.push(rule);
      }
    }
    worker.postMessage("more");
  }
  throw new Error("the thread that parses rule files has ended");
}
