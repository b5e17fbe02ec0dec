import { rotatedTokens } from "../process/admin/index.ts";
import { CommandError } from "../process/command-error.ts";
import {
  checkShed,
  modesIn,
  type ProxyServeOptions,
  parseOptionsOf,
} from "../process/options/index.ts";
import {
  operation,
  proxyWelcome,
  type ServeContext,
  serveProxy,
} from "../process/serving/index.ts";
import { logWarnings, onHangUp } from "../process/signals/index.ts";
import { aloneRole } from "../process/workers/index.ts";
import { runService } from "./run-service.ts";

/**
 * `spillway proxy`: forwards requests that limits admit, until SIGINT or SIGTERM, then finishes
 * what is under way.
 *
 * @throws RulesError, CommandError if it can't start.
 */
export async function proxy(paths: readonly string[], given: ProxyServeOptions): Promise<void> {
  const options = { ...given, workers: 1 };
  checkTls(options);
  checkShed(options);
  // SIGHUP would end the process until rules can be reloaded.
  onHangUp(() => {});
  const parse = parseOptionsOf(options);
  const running = await operation(options);
  const { log } = running;
  logWarnings(log);
  const rotated = await rotatedTokens(options, log);
  onHangUp(() => void rotated.reload());
  for (const line of modesIn(options)) log.warn(line);
  const role = await aloneRole({ paths, parse, log });
  const open = (context: ServeContext) => serveProxy({ ...options, ...context });
  await runService(role, running, { ...options, rotated, open, welcome: proxyWelcome });
}

function checkTls({ cert, key }: ProxyServeOptions): void {
  if ((cert === undefined) === (key === undefined)) return;
  throw new CommandError("bad-tls", "expected both --cert and --key, or neither");
}
