/**
 * Draining: after the first stop signal, health checks report that the service stops, and it still
 * answers.
 */
import { alarm } from "spillway/support";
import type { ServiceLogger } from "../../telemetry/index.ts";
import type { DrainOptions } from "../options/index.ts";

/** Requests to stop a service. */
export type StopRequests = {
  /** Resolves at the first request, with its reason. */
  readonly why: Promise<string>;
  /** Resolves at the second request. From then on the service waits for nothing. */
  readonly again: Promise<unknown>;
};

/**
 * Creates stop requests. `listen` receives a function to call for each request; calls after the
 * second have no effect.
 */
export function stoppingBy(listen: (stop: (why: string) => void) => void): StopRequests {
  const first = Promise.withResolvers<string>();
  const second = Promise.withResolvers<void>();
  let isFirst = true;
  listen((why) => {
    if (isFirst) first.resolve(why);
    else second.resolve();
    isFirst = false;
  });
  return { why: first.promise, again: second.promise };
}

type DrainSettings = DrainOptions & {
  readonly log: ServiceLogger;
  /** Called when draining begins: from then on health checks report that the service stops. */
  readonly begin: () => void;
};

/**
 * Waits for the first request to stop, then for the end of the drain or the second request. Returns
 * the reason.
 */
export async function drained(stopping: StopRequests, options: DrainSettings): Promise<string> {
  const { drain, log, begin } = options;
  const why = await stopping.why;
  begin();
  if (drain === 0) return why;
  log.info(`${why}: no longer ready, but still answering for ${drain} ms (--drain)`);
  let cancel = () => {};
  const over = new Promise<void>((resolve) => {
    cancel = alarm(drain, resolve);
  });
  await Promise.race([over, stopping.again]);
  cancel();
  return why;
}
