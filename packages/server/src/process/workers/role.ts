/** The role of a process: it serves alone, or as one of several workers. */
import { describeProblem, type ParseOptions, parseRules, type Rules } from "../../rules/index.ts";
import type { AdminTarget, NoteDirect, Service } from "../../service/index.ts";
import type { ServiceLogger } from "../../telemetry/index.ts";
import type { AskRules } from "../../transports/http-api/index.ts";
import { type AdminParts, localTarget } from "../admin/index.ts";
import { readRuleFiles, signatureOf } from "../files/index.ts";
import { meaninglessIn, unknownIn } from "../options/index.ts";
import { watchRuleFiles } from "../reload/index.ts";
import { onHangUp, type StopRequests, stopSignals } from "../signals/index.ts";

export type ProcessRole = {
  readonly log: ServiceLogger;
  /** The first rules. */
  readonly rules: Rules;
  /** Keeps the rules of a service up to date. `onBad` is called for unusable ones. */
  readonly keepRules: (service: Service, onBad: () => void) => Promise<RulesKeeper>;
  /** Takes part in administration. */
  readonly administer: (parts: AdminParts) => AdminRole;
  /** Waits until the process may listen. */
  readonly mayListen: () => Promise<void>;
  /** Called when the process listens, with lines for the person who started it. */
  readonly serving: (lines: readonly string[]) => void;
  /** Listens for requests to stop, from this call on. */
  readonly stop: () => StopRequests;
};

/** The part of a process in administration. */
export type AdminRole = {
  /** The target, if this process has the listeners. */
  readonly target: AdminTarget | undefined;
  /** Writes changes by older calls into the audit log, if another process has it. */
  readonly note: NoteDirect | undefined;
};

/** Keeps the rules of a service up to date. */
export type RulesKeeper = {
  /** Why the rules in use differ from the files; undefined if they do not. */
  readonly trouble: () => string | undefined;
  /** Reads or changes the rules in use. */
  readonly ask: AskRules;
  readonly close: () => void;
};

export type RoleOptions = {
  readonly paths: readonly string[];
  readonly parse: ParseOptions;
  readonly log: ServiceLogger;
};

/** Returns the role of a process that is the whole service. @throws RulesError, CommandError */
export async function aloneRole({ paths, parse, log }: RoleOptions): Promise<ProcessRole> {
  const seen = await signatureOf(paths);
  const files = await readRuleFiles(paths);
  const rules = parseRules(files, parse);
  warnAtStart(rules, log);
  return {
    log,
    rules,
    keepRules: async (service, onBad) => {
      const reloading = await watchRuleFiles({ paths, seen, files, parse, service, log, onBad });
      onHangUp(() => void reloading.reload("SIGHUP"));
      return reloading;
    },
    administer: (parts) => ({ target: localTarget(parts), note: undefined }),
    mayListen: async () => {},
    serving: (lines) => {
      for (const line of lines) log.info(line);
    },
    stop: stopSignals,
  };
}

/** Logs every warning of the start before any request is answered. */
export function warnAtStart(rules: Rules, log: ServiceLogger): void {
  const { env } = process;
  for (const line of [...meaninglessIn(env), ...unknownIn(env)]) log.warn(line);
  for (const warning of rules.warnings) log.warn(describeProblem(warning));
}
