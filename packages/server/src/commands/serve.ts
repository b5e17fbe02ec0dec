import { instrumented } from "spillway/telemetry";
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
import { type OpenStore, openStore } from "../process/stores/index.ts";
import {
  aloneRole,
  failAsWorker,
  isWorker,
  pageOfAll,
  type Role,
  serveByWorkers,
  workerRole,
} from "../process/workers/index.ts";
import type { ParseOptions } from "../rules/index.ts";
import { createService } from "../service/index.ts";

/**
 * `spillway serve`: answers until SIGINT or SIGTERM, then finishes what is under way.
 *
 * @throws RulesError, CommandError where it can't begin.
 */
export async function serve(paths: readonly string[], options: ServeOptions): Promise<void> {
  checkTls(options);
  // Until there are rules to be read again, and in workers, which don't read them: else it ends the process.
  onHangUp(() => {});
  const parse = parseOptionsOf(options);
  const running = await operation(options);
  const { log } = running;
  logWarnings(log);
  if (isWorker()) return serveAsWorker(parse, running, options);
  for (const line of [...modesIn(options), ...unusedIn(options)]) log.warn(line);
  if (options.workers > 1) {
    process.exit(await serveByWorkers({ ...options, paths, parse, log }));
  }
  await serveAs(await aloneRole({ paths, parse, log }), running, options);
}

/** A Redis named by upstream's variables may look as if counters were kept there. */
function unusedIn({ unusedOfStore: names }: ServeOptions): readonly string[] {
  if (names.length === 0) return [];
  return [doNothing(names, "--store, or SPILLWAY_STORE, names the store")];
}

/** Its primary process reports what is wrong, once for all. */
async function serveAsWorker(
  parse: ParseOptions,
  running: Operation,
  options: ServeOptions,
): Promise<void> {
  try {
    const page = pageOfAll(running.page);
    await serveAs(await workerRole(parse, running.log), { ...running, page }, options);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    await failAsWorker(error);
  }
}

async function serveAs(role: Role, running: Operation, options: ServeOptions): Promise<void> {
  const { metrics } = running;
  // Every worker counts for itself while the store is away.
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
  // All is answered. What a driver still has timers for is nothing to stay for.
  process.exit();
}

/** Others have at once what was lent to this process. What can't be given back is over by itself. */
async function giveBack({ store }: OpenStore): Promise<void> {
  try {
    await store.lending?.giveBack();
  } catch {
    // The store's own log has said why.
  }
}

/** Answers by the rules until it is to end. */
async function answer(
  role: Role,
  { store: bare, where }: OpenStore,
  options: ServeOptions & { readonly running: Operation },
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
  const transports = await serveTransports({ ...options, role, service, kept });
  const stopping = role.stop();
  const policy = store.mode === "later" ? whenUnavailable : undefined;
  role.serving(welcome(rules, { ...transports, host: options.host, where, policy }));
  const why = await drained(stopping, { ...options, log, begin: transports.stopping });
  log.info(`${why}: finishing what is under way`);
  kept.close();
  await transports.close();
}
