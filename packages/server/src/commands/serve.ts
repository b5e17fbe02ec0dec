import { rotatedTokens } from "../process/admin/index.ts";
import { CommandError } from "../process/command-error.ts";
import { doNothing, modesIn, parseOptionsOf, type ServeOptions } from "../process/options/index.ts";
import {
  checkTls,
  type Operation,
  operation,
  serveTransports,
  welcome,
} from "../process/serving/index.ts";
import { logWarnings, onHangUp } from "../process/signals/index.ts";
import {
  aloneRole,
  failAsWorker,
  isWorker,
  pageOfAll,
  serveByWorkers,
  workerRole,
} from "../process/workers/index.ts";
import type { ParseOptions } from "../rules/index.ts";
import { type RunningOptions, runService } from "./run-service.ts";

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
  const started = { ...options, rotated, open: serveTransports, welcome };
  if (isWorker()) return serveAsWorker(parse, running, started);
  for (const line of [...modesIn(options), ...unusedIn(options)]) log.warn(line);
  if (options.workers > 1) {
    process.exit(await serveByWorkers({ ...options, paths, parse, log, rotated }));
  }
  await runService(await aloneRole({ paths, parse, log }), running, started);
}

/**
 * Returns upstream's variables that name a Redis without effect. Users could believe that counters
 * are kept there.
 */
function unusedIn({ unusedOfStore: names }: ServeOptions): readonly string[] {
  if (names.length === 0) return [];
  return [doNothing(names, "--store, or SPILLWAY_STORE, names the store")];
}

/** The primary process reports problems, once for all workers. */
async function serveAsWorker(
  parse: ParseOptions,
  running: Operation,
  options: RunningOptions,
): Promise<void> {
  try {
    const page = pageOfAll(running.page);
    await runService(await workerRole(parse, running.log), { ...running, page }, options);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    await failAsWorker(error);
  }
}
