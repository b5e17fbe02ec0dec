/** The worker's side of a service with several processes. */
import { type ParseOptions, parseRules } from "../../rules/index.ts";
import { named, type ServiceLogger } from "../../telemetry/index.ts";
import type { CommandError } from "../command-error.ts";
import { WORKER } from "../options/index.ts";
import { type StopRequests, stoppingBy, stopSignals } from "../signals/index.ts";
import { answerAdmin, FollowedModes, noteByPrimary } from "./followed-admin.ts";
import { FollowedRules } from "./followed-rules.ts";
import { askPrimary, nextMessage, onMessage, sendMessage } from "./primary-link.ts";
import type { ProcessRole } from "./role.ts";

/** Whether this process was started as a worker. */
export function isWorker(): boolean {
  return process.env[WORKER] !== undefined && process.send !== undefined;
}

/** Its number, from 1; undefined in a process that is not a worker. */
export function workerNumber(): number | undefined {
  return isWorker() ? Number(process.env[WORKER]) : undefined;
}

/** Reports why the worker can't start, and exits. */
export function failAsWorker({ code, message }: CommandError): Promise<never> {
  return new Promise(() => sendMessage({ type: "failed", code, message }, () => process.exit(1)));
}

/**
 * Returns the role of a worker: its primary process reads the rules, and decides when to listen and
 * when to stop.
 */
export async function workerRole(parse: ParseOptions, bare: ServiceLogger): Promise<ProcessRole> {
  const log = named(bare, `worker ${workerNumber()}`);
  const followed = new FollowedRules(parse);
  const modes = new FollowedModes();
  const start = nextMessage("start");
  const listen = nextMessage("listen");
  const stopping = stopRequests();
  sendMessage({ type: "hello" });
  const { files, trouble, switches } = await start;
  followed.trouble ??= trouble;
  modes.use(switches);
  return {
    log,
    rules: parseRules(files, parse),
    keepRules: async (service, onBad) => {
      followed.keep(service, onBad);
      modes.keep(service);
      return { trouble: () => followed.trouble, ask: askPrimary(), close: () => {} };
    },
    administer: (parts) => {
      answerAdmin(parts);
      return { target: undefined, note: noteByPrimary() };
    },
    mayListen: async () => {
      sendMessage({ type: "ready" });
      await listen;
    },
    serving: (lines) => sendMessage({ type: "serving", lines }),
    stop: () => stopping,
  };
}

/**
 * Combines messages of the primary process and signals to this process. They are counted
 * separately: a terminal's Ctrl-C arrives as both, and is one request.
 */
function stopRequests(): StopRequests {
  const signals = stopSignals();
  const messages = stoppingBy((stop) => onMessage("stop", ({ why }) => stop(why)));
  return {
    why: Promise.race([messages.why, signals.why]),
    again: Promise.race([messages.again, signals.again]),
  };
}
