import { instrumented } from "spillway/telemetry";
import { type RotatedTokens, rotatedTokens } from "../process/admin/index.ts";
import { CommandError } from "../process/command-error.ts";
import {
  doNothing,
  modesIn,
  parseOptionsOf,
  type ServeOptions,
  settingsOf,
} from "../process/options/index.ts";
import {
  checkTls,
  type Operation,
  operation,
  serveTransports,
  welcome,
} from "../process/serving/index.ts";
import { drained, logWarnings, onHangUp } from "../process/signals/index.ts";
import { type OpenedStore, openStore } from "../process/stores/index.ts";
import {
  aloneRole,
  failAsWorker,
  isWorker,
  type ProcessRole,
  pageOfAll,
  serveByWorkers,
  workerRole,
} from "../process/workers/index.ts";
import type { ParseOptions } from "../rules/index.ts";
import { createService } from "../service/index.ts";

/**
 * `spillway serve`: answers requests until SIGINT or SIGTERM, then finishes what is under way.
 *
 * @throws RulesError, CommandError if it can't start.
 */
export async function serve(paths: readonly string[], options: ServeOptions): Promise<void> {
  checkTls(options);
  // SIGHUP would end the process until rules can be reloaded, and in workers, which don't reload
  // them.
  onHangUp(() => {});
  const parse = parseOptionsOf(options);
  const running = await operation(options);
  const { log } = running;
  logWarnings(log);
  const rotated = await rotatedTokens(options, log);
  onHangUp(() => void rotated.reload());
  if (isWorker()) return serveAsWorker(parse, running, { ...options, rotated });
  for (const line of [...modesIn(options), ...unusedIn(options)]) log.warn(line);
  if (options.workers > 1) {
    process.exit(await serveByWorkers({ ...options, paths, parse, log, rotated }));
  }
  await serveAs(await aloneRole({ paths, parse, log }), running, { ...options, rotated });
}

/**
 * Returns upstream's variables that name a Redis without effect. Users could believe that counters
 * are kept there.
 */
function unusedIn({ unusedOfStore: names }: ServeOptions): readonly string[] {
  if (names.length === 0) return [];
  return [doNothing(names, "--store, or SPILLWAY_STORE, names the store")];
}

type RunningOptions = ServeOptions & { readonly rotated: RotatedTokens };

/** The primary process reports problems, once for all workers. */
async function serveAsWorker(
  parse: ParseOptions,
  running: Operation,
  options: RunningOptions,
): Promise<void> {
  try {
    const page = pageOfAll(running.page);
    await serveAs(await workerRole(parse, running.log), { ...running, page }, options);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    await failAsWorker(error);
  }
}

async function serveAs(
  role: ProcessRole,
  running: Operation,
  options: RunningOptions,
): Promise<void> {
  const { metrics } = running;
  // Each worker decides by itself while the store is unavailable.
  const instances = options.instances * options.workers;
  const onEvent = metrics.storeCalls.happened;
  const settings = { ...options, instances, warn: role.log.warn, onEvent };
  const opened = await openStore(options.store, settings);
  metrics.ofStore(opened.stats);
  try {
    await answer(role, opened, { ...options, running });
    await giveBack(opened);
  } finally {
    opened.close();
    await running.close();
  }
  // Everything has been answered. Remaining timers of a driver must not keep the process alive.
  process.exit();
}

/**
 * Gives back units lent to this process, so that others have them at once. Units that can't be
 * given back expire.
 */
async function giveBack({ store }: OpenedStore): Promise<void> {
  try {
    await store.lending?.giveBack();
  } catch {
    // The store's own log has reported the reason.
  }
}

/** Answers requests by the rules until the process is stopped. */
async function answer(
  role: ProcessRole,
  { store: bare, where }: OpenedStore,
  options: RunningOptions & { readonly running: Operation },
): Promise<void> {
  const { whenUnavailable, running } = options;
  const { log, rules } = role;
  const store = instrumented(bare, running.onCall);
  const service = createService({
    rules,
    store,
    whenUnavailable: whenUnavailable === "error" ? "closed" : whenUnavailable,
    settings: settingsOf(options),
    onDecided: running.onDecided,
    onRules: running.metrics.rulesUsed,
  });
  const kept = await role.keepRules(service, running.metrics.rulesRefused);
  const administered = role.administer({ service, keys: running.keys });
  const transports = await serveTransports({ ...options, role, service, kept, administered });
  const stopping = role.stop();
  const policy = store.timing === "later" ? whenUnavailable : undefined;
  role.serving(welcome(rules, { ...transports, host: options.host, where, policy }));
  const why = await drained(stopping, { ...options, log, begin: transports.stopping });
  log.info(`${why}: finishing open requests`);
  kept.close();
  options.rotated.close();
  await transports.close();
}
