import { instrumented } from "spillway/telemetry";
import type { ParseOptions } from "../rules/index.ts";
import { createService } from "../service/index.ts";
import { CommandError } from "./command-error.ts";
import { drained } from "./drain.ts";
import { modesIn, settingsOf } from "./envoy-options.ts";
import { type Operation, operation } from "./operation.ts";
import { logWarnings, onHangUp } from "./process-events.ts";
import { aloneRole, type Role } from "./role.ts";
import { parseOptionsOf } from "./rule-options.ts";
import type { ServeOptions } from "./serve-options.ts";
import { serveTransports } from "./serve-transports.ts";
import { type OpenStore, openStore } from "./store/open-store.ts";
import { checkTls } from "./tls-files.ts";
import { doNothing } from "./upstream-environment.ts";
import { welcome } from "./welcome.ts";
import { pageOfAll } from "./workers/numbers.ts";
import { serveByWorkers } from "./workers/primary.ts";
import { failAsWorker, isWorker, workerRole } from "./workers/worker.ts";

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

/** Who set a Redis by upstream's variables may think that counters are kept there. */
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
