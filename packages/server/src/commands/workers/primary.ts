/** `spillway serve --workers N`: the process that starts the workers, and reads the rules for all. */
import cluster from "node:cluster";
import { SECOND } from "spillway/core";
import { type ParseOptions, parseRules } from "../../rules/index.ts";
import type { Log } from "../../telemetry/index.ts";
import { CommandError } from "../command-error.ts";
import { onHangUp, onUserSignal, stopSignal } from "../process-events.ts";
import { watchRules } from "../reload/reload.ts";
import { warnAtStart } from "../role.ts";
import { readRuleFiles } from "../rule-files.ts";
import type { ServeOptions } from "../serve-options.ts";
import { Fleet } from "./fleet.ts";

export type PrimaryOptions = Pick<ServeOptions, "workers" | "store" | "grpcGrace"> & {
  readonly paths: readonly string[];
  readonly parse: ParseOptions;
  readonly log: Log;
};

/** What a worker's HTTP takes to stop at most, and something for a busy machine. */
const LONGEST_STOP = 12 * SECOND;

/**
 * Serves by several processes behind one port, until SIGINT or SIGTERM; returns the exit code.
 *
 * @throws RulesError, CommandError where it can't begin.
 */
export async function serveByWorkers(options: PrimaryOptions): Promise<number> {
  const { paths, parse, log, workers } = options;
  checkShared(options);
  const files = await readRuleFiles(paths);
  const rules = parseRules(files, parse);
  warnAtStart(rules, log);
  // Connections in turn: what few clients send over long-lived connections spreads as well as it can.
  cluster.schedulingPolicy = cluster.SCHED_RR;
  cluster.setupPrimary({ serialization: "advanced" });
  const { promise: lost, reject: onLost } = Promise.withResolvers<never>();
  const fleet = new Fleet({ workers, files, log, onLost });
  const lines = await fleet.start();
  const stop = stopSignal();
  const reloading = await watchRules({
    paths,
    files,
    parse,
    log,
    service: { rules, replaceRules: (_rules, files) => fleet.useRules(files) },
    onTrouble: (trouble) => fleet.setTrouble(trouble),
  });
  fleet.onAsk = reloading.ask;
  onHangUp(() => void reloading.reload("SIGHUP"));
  onUserSignal(() => fleet.signal("SIGUSR2"));
  for (const line of lines) log.info(line);
  log.info(`${workers} workers serve, as processes ${fleet.pids.join(", ")}`);
  const why = await Promise.race([stop, lost]);
  log.info(`${why}: all workers finish what is under way`);
  reloading.close();
  const killed = await fleet.stop(why, Math.max(LONGEST_STOP, options.grpcGrace + 2 * SECOND));
  if (killed > 0) log.warn(`${killed} of ${workers} workers did not end in time, and were killed`);
  return killed > 0 ? 1 : 0;
}

/** Each worker would have budgets of its own. */
function checkShared({ store, workers }: PrimaryOptions): void {
  if (store !== "memory") return;
  throw new CommandError(
    "no-shared-store",
    `${workers} workers would each keep budgets of their own in memory, and admit ${workers} times ` +
      "what the rules say: choose a store that they share, such as --store sqlite:limits.db or " +
      "--store redis://127.0.0.1:6379, or leave out --workers",
  );
}
