/** `watchRules`: the limits of rule files, or of a running service, for a limiter of a program. */
import type { Limits } from "spillway";
import { consoleWarn, printable } from "spillway/support";
import { describeProblem, type Rules } from "../../rules/index.ts";
import { CommandError } from "../command-error.ts";
import { watchedFiles } from "./from-files.ts";
import { watchedService } from "./from-service.ts";
import { KeptLimits, type LimitsChange, type UpdatedLimiter } from "./kept-limits.ts";
import { itemsOfDomain, programLimits, rulesOfDomain } from "./limits-of-rules.ts";
import { checkedSource, type RulesSource } from "./source.ts";
import { Troubles } from "./troubles.ts";

/** The options of `watchRules`. */
export type WatchRulesOptions = {
  /** The domain whose rules become limits. Default: all domains. */
  readonly domain?: string;
  /** Allows several files to share a domain, as `--merge-domains` does. Default: false. */
  readonly mergeDomains?: boolean;
  /** The service's `SPILLWAY_STORE_TOKEN`. Default: none, for a service on this machine. */
  readonly token?: string;
  /**
   * Called when the limits in use begin to differ from their source: with the mistakes in the
   * files, each as `file:line:column code message` as `spillway check` prints them, or with the
   * reason why the source can't be read. Also called with what a limiter refuses. Called once for
   * each text. It must not throw. Default: the console.
   */
  readonly onProblem?: (problem: string) => void;
  /** Called after limits have changed, with their names. It must not throw. Default: none. */
  readonly onChange?: (change: LimitsChange) => void;
  /** Receives warnings of valid rules that are probably mistakes. Default: the console. */
  readonly warn?: (warning: string) => void;
};

/** The limits of rules, which follow their source until `close`. */
export type WatchedRules = {
  /**
   * The limits in use, by name, with their modes: plain data, for a `RateLimiter<Limits>`. Each
   * change makes a new object.
   */
  readonly limits: Limits;
  /** Why the limits in use differ from their source; undefined if they do not. */
  readonly problem: string | undefined;
  /**
   * Gives a limiter these limits, now and after each change.
   *
   * A limit whose rule disappears is removed, or gets the definition back that the program had for
   * its name. All else that the limiter has stays as it is. A limiter with another kind of limit of
   * a name refuses the change and keeps what it has, which is reported.
   *
   * @throws SpillwayError `wrong-kind` if it does so at once.
   */
  keep(limiter: UpdatedLimiter): void;
  /** Stops watching. Limiters keep the limits that they have. */
  close(): void;
  [Symbol.dispose](): void;
  [Symbol.asyncDispose](): Promise<void>;
};

/**
 * Takes limits and their modes from rule files, or from a running service, while a program runs.
 *
 * Each rule becomes a limit under the `name` of its `rate_limit`, else under the rule's name, such
 * as `shop/user`; the key is passed with the call. A change is used as a whole, within a
 * second in all programs that watch. Wrong files change nothing, and
 * neither does a service that is away; both are reported. Watching does not keep the process alive.
 *
 * Not for rules that match requests, which need `createService`: patterns, `http`, `replaces`,
 * `also`, `quota_mode`, `jitter` and `unlimited` are refused with their place.
 *
 * @param source Paths of rule files and directories, or the URL of a service.
 * @throws RulesError for mistakes in the files; CommandError `unreadable-path`, `no-rule-files`,
 * `no-rules` if the service gives none, `no-such-domain`, `bad-source`.
 * @example
 * const rules = await watchRules("limits.yaml", { onProblem: (text) => log.warn(text) });
 * const limiter = new RateLimiter<Limits>(rules.limits);
 * rules.keep(limiter);
 */
export async function watchRules(
  source: RulesSource,
  options: WatchRulesOptions = {},
): Promise<WatchedRules> {
  const from = checkedSource(source);
  const { domain, mergeDomains = false, token, warn = consoleWarn } = options;
  const { onProblem = consoleWarn, onChange = () => {} } = options;
  const troubles = new Troubles(onProblem);
  const limitsOf = (rules: Rules) => {
    const list = rulesOfDomain(rules, domain);
    if (list === undefined) throw noDomain(rules, domain as string);
    for (const warning of rules.warnings) warn(describeProblem(warning));
    return programLimits(list, itemsOfDomain(rules, domain));
  };
  const user = {
    first: (rules: Rules) => new KeptLimits(limitsOf(rules), { troubles, onChange }),
    next: (kept: KeptLimits, rules: Rules) => kept.replace(limitsOf(rules)),
    troubles,
  };
  const watched =
    from.type === "files"
      ? await watchedFiles(from.paths, { ...user, mergeDomains })
      : await watchedService(from.url, { ...user, token });
  return facade(watched.kept, { troubles, stop: watched.stop });
}

type FacadeParts = { readonly troubles: Troubles; readonly stop: () => void };

function facade(kept: KeptLimits, { troubles, stop }: FacadeParts): WatchedRules {
  const close = () => {
    kept.close();
    troubles.close();
    stop();
  };
  return {
    get limits() {
      return kept.limits;
    },
    get problem() {
      return troubles.now;
    },
    keep: (limiter) => kept.keep(limiter),
    close,
    [Symbol.dispose]: close,
    [Symbol.asyncDispose]: async () => close(),
  };
}

function noDomain({ domains }: Rules, domain: string): CommandError {
  const known = [...domains.keys()].map((name) => printable(name, 200)).join(", ");
  const message = `found no domain ${printable(domain, 200)}, expected one of ${known || "none"}`;
  return new CommandError("no-such-domain", `watchRules: ${message}`);
}
