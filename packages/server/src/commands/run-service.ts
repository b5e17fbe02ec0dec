/** Runs a service: opens the store, answers until a signal, and ends the process. */
import { instrumented } from "spillway/telemetry";
import type { RotatedTokens } from "../process/admin/index.ts";
import { type ServeOptions, settingsOf } from "../process/options/index.ts";
import type {
  Operation,
  ServeContext,
  Transports,
  WelcomeDetails,
} from "../process/serving/index.ts";
import { drained } from "../process/signals/index.ts";
import { type OpenedStore, openStore } from "../process/stores/index.ts";
import type { ProcessRole } from "../process/workers/index.ts";
import type { Rules } from "../rules/index.ts";
import { createService } from "../service/index.ts";

export type RunningOptions = ServeOptions & {
  readonly rotated: RotatedTokens;
  /** Opens everything that listens. @throws CommandError */
  readonly open: (context: ServeContext) => Promise<Transports>;
  /** Returns lines for the person who started the service. */
  readonly welcome: (rules: Rules, details: WelcomeDetails) => readonly string[];
};

/** Serves until the process is stopped, and ends the process. */
export async function runService(
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
  const transports = await options.open({ ...options, role, service, kept, administered });
  const stopping = role.stop();
  const policy = store.timing === "later" ? whenUnavailable : undefined;
  role.serving(options.welcome(rules, { ...transports, host: options.host, where, policy }));
  const why = await drained(stopping, { ...options, log, begin: transports.stopping });
  log.info(`${why}: finishing open requests`);
  kept.close();
  options.rotated.close();
  await transports.close();
}
