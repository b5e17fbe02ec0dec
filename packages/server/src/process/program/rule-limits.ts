/** `rules`: rule files whose `http` section decides which limits a request meets, for a route. */
import type { RequestLimits } from "spillway/guard";
import { consoleWarn, display, nearest, printable } from "spillway/support";
import { describeProblem, type Rules } from "../../rules/index.ts";
import {
  classifier,
  createService,
  type Service,
  type ServiceOptions,
} from "../../service/index.ts";
import { CommandError } from "../command-error.ts";
import { watchedFiles } from "./from-files.ts";
import { watchedService } from "./from-service.ts";
import { requestLimits } from "./request-limits.ts";
import { checkedSource, type RulesSource } from "./source.ts";
import { Troubles } from "./troubles.ts";
import type { WatchedRules, WatchRulesOptions } from "./watch-rules.ts";

/** The options of `rules`. */
export type RuleLimitsOptions = Pick<
  WatchRulesOptions,
  "mergeDomains" | "token" | "onProblem" | "warn"
> &
  Pick<ServiceOptions, "store" | "whenUnavailable" | "clock" | "onDecided"> & {
    /** The domain whose `http` section applies. Default: the only one with such a section. */
    readonly domain?: string;
  };

/** Limits of a route that follow rule files until `close`. */
export type RuleLimits = RequestLimits &
  Pick<WatchedRules, "problem" | "close" | typeof Symbol.dispose | typeof Symbol.asyncDispose> & {
    /** Decides by the same rules: reads, resets and blocks the budgets of descriptors. */
    readonly service: Service;
  };

/**
 * Takes the limits of a route from rule files, or from a running service, while a program runs.
 *
 * The `http` section says which request meets which limits, as it does for `/auth`. A change is
 * used as a whole, within a second. Wrong files change nothing, and are reported. With a shared
 * store, programs and services that use the same rules share their budgets.
 *
 * Not for limits that a program takes by name, which `watchRules` has. On Hono and over `Request`
 * the runtime has resolved `..` before rules match.
 *
 * @param source Paths of rule files and directories, or the URL of a service.
 * @throws RulesError for mistakes in the files; CommandError `unreadable-path`, `no-rule-files`,
 * `no-rules` if the service gives none, `no-http-section`, `bad-source`, `unknown-option`.
 * @example
 * app.use(limited(limiter, { limits: await rules("rules.yaml") }));
 */
export async function rules(
  source: RulesSource,
  options: RuleLimitsOptions = {},
): Promise<RuleLimits> {
  const from = checkedSource(source);
  checkNames(options);
  const { domain, clock, mergeDomains = false, token, onProblem = consoleWarn } = options;
  const troubles = new Troubles(onProblem);
  const checked = checking(options);
  const user = {
    first: (found: Rules) => createService({ ...options, rules: checked(found) }),
    next: (service: Service, found: Rules) => service.replaceRules(checked(found)),
    troubles,
  };
  const { kept: service, stop } =
    from.type === "files"
      ? await watchedFiles(from.paths, { ...user, mergeDomains })
      : await watchedService(from.url, { ...user, token });
  const close = () => {
    troubles.close();
    stop();
  };
  return {
    ...requestLimits(service, { domain, classified: classifier({ ...(clock && { clock }) }) }),
    service,
    get problem() {
      return troubles.now;
    },
    close,
    [Symbol.dispose]: close,
    [Symbol.asyncDispose]: async () => close(),
  };
}

const OPTIONS: { readonly [name in keyof RuleLimitsOptions]-?: true } = {
  domain: true,
  store: true,
  whenUnavailable: true,
  clock: true,
  onDecided: true,
  mergeDomains: true,
  token: true,
  onProblem: true,
  warn: true,
};

/** Refuses an option that would have no effect. @throws CommandError `unknown-option` */
function checkNames(options: object): void {
  const known = Object.keys(OPTIONS);
  const name = Object.keys(options).find((one) => !known.includes(one));
  if (name === undefined) return;
  const near = nearest(name, known);
  const hint = near === undefined ? "" : `. Did you mean ${near}?`;
  const expected = `the options of rules are ${known.join(", ")}`;
  throw new CommandError("unknown-option", `unknown option ${display(name)}; ${expected}${hint}`);
}

/** Returns a function that returns rules which have the section, and throws for others. */
function checking({ domain, warn = consoleWarn }: RuleLimitsOptions): (found: Rules) => Rules {
  return (found) => {
    const { size } = found.http;
    const isThere = domain === undefined ? size === 1 : found.http.has(domain);
    if (!isThere) throw noSection(found, domain);
    for (const warning of found.warnings) warn(describeProblem(warning));
    return found;
  };
}

function noSection({ http }: Rules, domain: string | undefined): CommandError {
  const known = [...http.keys()].map((name) => printable(name, 200)).join(", ");
  const found = http.size === 0 ? "no http section" : `http sections of ${known}`;
  const expected = domain === undefined ? "one, or `domain`" : `one of ${printable(domain, 200)}`;
  return new CommandError("no-http-section", `rules: found ${found}, expected ${expected}`);
}
