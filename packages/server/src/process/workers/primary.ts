/**
 * `spillway serve --workers N`: the process that starts the workers, and reads the rules for all.
 */
import cluster from "node:cluster";
import { SECOND } from "spillway/core";
import { type ParseOptions, parseRules, type RuleFile, type Rules } from "../../rules/index.ts";
import type { ModeSwitch } from "../../service/index.ts";
import type { ServiceLogger } from "../../telemetry/index.ts";
import { type AdminListeners, type RotatedTokens, serveAdmin } from "../admin/index.ts";
import { CommandError } from "../command-error.ts";
import { readRuleFiles, signatureOf } from "../files/index.ts";
import { type ServeOptions, settingsOf } from "../options/index.ts";
import { type Reloading, type RulesUser, watchRuleFiles } from "../reload/index.ts";
import { onHangUp, onUserSignal, stopSignals } from "../signals/index.ts";
import { Fleet, type FleetOptions } from "./fleet.ts";
import { fleetTarget } from "./fleet-target.ts";
import { warnAtStart } from "./role.ts";

export type PrimaryOptions = Pick<
  ServeOptions,
  | "workers"
  | "store"
  | "grpcGrace"
  | "maxConnections"
  | "drain"
  | "adminPort"
  | "adminHost"
  | "adminSocket"
  | "auditFile"
  | "schema"
  | "sentinels"
  | "chargeRefused"
  | "shadow"
  | "quota"
> & {
  readonly paths: readonly string[];
  readonly parse: ParseOptions;
  readonly log: ServiceLogger;
  readonly rotated: RotatedTokens;
};

/** The longest time to stop a worker's HTTP server, with a margin for a busy machine. */
const LONGEST_STOP = 12 * SECOND;

/**
 * Runs several processes behind one port until SIGINT or SIGTERM. Returns the exit code.
 *
 * @throws RulesError, CommandError if it can't start.
 */
export async function serveByWorkers(options: PrimaryOptions): Promise<number> {
  const { paths, parse, log, workers } = options;
  checkShared(options);
  checkConnections(options);
  const seen = await signatureOf(paths);
  const files = await readRuleFiles(paths);
  const rules = parseRules(files, parse);
  warnAtStart(rules, log);
  const { promise: lost, reject: onLost } = Promise.withResolvers<never>();
  const fleet = fleetOf({ workers, files, log, onLost });
  const lines = await fleet.start();
  const stopping = stopSignals();
  const inUse = new FleetRules(fleet, rules);
  const reloading = await keepRules(fleet, { paths, seen, parse, log, files, inUse });
  const admin = await administered(fleet, { ...options, inUse });
  for (const line of [...lines, ...admin.lines]) log.info(line);
  log.info(`${workers} workers serve, as processes ${fleet.pids.join(", ")}`);
  const why = await Promise.race([stopping.why, lost]);
  log.info(`${why}: all workers finish open requests`);
  void stopping.again.then(() => fleet.hurry(why));
  reloading.close();
  const code = await stopped(fleet, why, options);
  await admin.close();
  return code;
}

/** Opens the administration listeners. If that fails, no worker is left. */
async function administered(
  fleet: Fleet,
  { inUse, ...options }: PrimaryOptions & { readonly inUse: FleetRules },
): Promise<AdminListeners> {
  try {
    const target = fleetTarget(fleet, { rules: () => inUse.rules, settings: settingsOf(options) });
    const admin = await serveAdmin({ ...options, target });
    fleet.onNote = admin.note;
    return admin;
  } catch (error) {
    await fleet.stop("the administration can't listen", LONGEST_STOP);
    throw error;
  }
}

/** The rules that all workers use. */
class FleetRules implements RulesUser {
  readonly #fleet: Fleet;
  rules: Rules;

  constructor(fleet: Fleet, rules: Rules) {
    this.#fleet = fleet;
    this.rules = rules;
  }

  get switches(): readonly ModeSwitch[] {
    return this.#fleet.switches;
  }

  readonly replaceRules = async (rules: Rules, files: readonly RuleFile[]): Promise<void> => {
    await this.#fleet.useRules(files);
    this.rules = rules;
  };
}

function fleetOf(options: FleetOptions): Fleet {
  // Connections are assigned in turn, which spreads a few long-lived connections best.
  cluster.schedulingPolicy = cluster.SCHED_RR;
  cluster.setupPrimary({ serialization: "advanced" });
  return new Fleet(options);
}

type RulesWatch = Pick<PrimaryOptions, "paths" | "parse" | "log"> & {
  /** The signature of the files before they were read. */
  readonly seen: string;
  readonly files: readonly RuleFile[];
  readonly inUse: FleetRules;
};

/** Gives all workers the rules of the files, and answers queries of their clients. */
async function keepRules(fleet: Fleet, { inUse, ...reading }: RulesWatch): Promise<Reloading> {
  const reloading = await watchRuleFiles({
    ...reading,
    service: inUse,
    onTrouble: (trouble) => fleet.setTrouble(trouble),
  });
  fleet.onAsk = reloading.ask;
  onHangUp(() => void reloading.reload("SIGHUP"));
  onUserSignal(() => fleet.signal("SIGUSR2"));
  return reloading;
}

/** Lets all workers finish. Returns the exit code. */
async function stopped(
  fleet: Fleet,
  why: string,
  { log, workers, grpcGrace, drain }: PrimaryOptions,
): Promise<number> {
  const longest = drain + Math.max(LONGEST_STOP, grpcGrace + 2 * SECOND);
  const killed = await fleet.stop(why, longest);
  if (killed > 0) log.warn(`${killed} of ${workers} workers did not end in time, and were killed`);
  return killed > 0 ? 1 : 0;
}

/** Otherwise each worker would have budgets of its own. */
function checkShared({ store, workers }: PrimaryOptions): void {
  if (store !== "memory") return;
  throw new CommandError(
    "no-shared-store",
    `${workers} workers would each keep their own budgets in memory, and admit ` +
      `${workers} times ` +
      "what the rules allow: choose a shared store, such as --store sqlite:limits.db or " +
      "--store redis://127.0.0.1:6379, or leave out --workers",
  );
}

/** A worker with a bound of 0 would close all its connections. */
function checkConnections({ workers, maxConnections }: PrimaryOptions): void {
  if (maxConnections >= workers) return;
  throw new CommandError(
    "too-few-connections",
    `--max-connections ${maxConnections} is for all ${workers} workers together: raise ` +
      "it, or lower --workers",
  );
}
