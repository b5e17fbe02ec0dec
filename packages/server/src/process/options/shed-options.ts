/** Options for how `spillway proxy` sheds load, also read from the environment. */
import { InvalidArgumentError, type Option } from "commander";
import type { Priority } from "spillway/shedding";
import { matchesEvery, routeMatch } from "../../rules/index.ts";
import type { PriorityRoute } from "../../transports/proxy/index.ts";
import { CommandError } from "../command-error.ts";
import { optionOf } from "./option.ts";

/** Whether requests are shed: not at all, only counted, or refused. */
export type ShedMode = (typeof SHED_MODES)[number];

const SHED_MODES = ["off", "shadow", "enforce"] as const;

/** All names. The library's own list is in a module that only shedding needs. */
const NAMES: { readonly [P in Priority]: true } = {
  critical: true,
  normal: true,
  low: true,
  background: true,
};

const PRIORITIES = Object.keys(NAMES) as readonly Priority[];

export type ShedOptions = {
  readonly shed: ShedMode;
  /** Undefined if none is given: all requests are alike. */
  readonly priority: readonly PriorityRoute[] | undefined;
  /** A header's name in lower case; undefined if none is read. */
  readonly deadlineHeader: string | undefined;
};

/** Creates the options. Each overrides its environment variable. */
export function shedOptions(): readonly Option[] {
  return [
    optionOf({
      flags: "--shed <mode>",
      about:
        "refuse the least important requests while the servers are overloaded (enforce), only " +
        "count them (shadow), or neither (off)",
      env: "SPILLWAY_SHED",
      usual: "off",
      read: toMode,
    }),
    optionOf({
      flags: "--priority <route>",
      about:
        "whether requests are critical, normal, low or background, such as " +
        '"critical POST /checkout" or "background /reports/*"; the first that matches counts. ' +
        'May be repeated, or have several between ";". Default: normal',
      env: "SPILLWAY_PRIORITY",
      read: addPriorities,
    }),
    optionOf({
      flags: "--deadline-header <name>",
      about:
        "a header that says how many milliseconds its client still waits, such as " +
        "x-envoy-expected-rq-timeout-ms. Default: none",
      env: "SPILLWAY_DEADLINE_HEADER",
      read: toName,
    }),
  ];
}

/** @throws CommandError `no-shedding` for an option that would have no effect */
export function checkShed({ shed, priority, deadlineHeader }: ShedOptions): void {
  if (shed !== "off" || (priority === undefined && deadlineHeader === undefined)) return;
  const found = priority === undefined ? "--deadline-header" : "--priority";
  throw new CommandError("no-shedding", `found ${found}, expected --shed enforce or shadow too`);
}

function toMode(text: string): ShedMode {
  const mode = SHED_MODES.find((one) => one === text);
  if (mode !== undefined) return mode;
  throw new InvalidArgumentError(`Expected ${SHED_MODES.join(", ")}.`);
}

/** A route after one for all requests would never be reached. */
function addPriorities(text: string, before: readonly PriorityRoute[] = []) {
  const lines = text.split(";").filter((line) => line.trim() !== "");
  const all = [...before, ...lines.map(toRoute)];
  if (lines.length > 0 && !all.slice(0, -1).some(({ match }) => matchesEvery(match))) return all;
  throw new InvalidArgumentError(
    "Expected the priority of all other requests last, as the first that matches counts.",
  );
}

function toRoute(line: string): PriorityRoute {
  const [name = "", ...words] = line.trim().split(/\s+/);
  const priority = PRIORITIES.find((one) => one === name);
  const match = routeMatch(words.join(" "));
  if (priority !== undefined && match !== undefined) return { priority, match };
  throw new InvalidArgumentError(
    `Expected ${PRIORITIES.join(", ")}, then methods and a path, such as ` +
      '"critical POST,PUT /users/{id}" or "background /reports/*".',
  );
}

function toName(text: string): string {
  if (/^[\w!#$%&'*+.^`|~-]{1,100}$/.test(text)) return text.toLowerCase();
  throw new InvalidArgumentError("Expected the name of a header, such as x-request-timeout-ms.");
}
