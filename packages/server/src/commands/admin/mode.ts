import { Option } from "commander";
import { CommandError } from "../../process/command-error.ts";
import { describeSwitch } from "../../service/index.ts";
import { type AdminCommand, type ChangeOptions, saidIn } from "./admin-command.ts";
import { changeOptions } from "./admin-options.ts";
import type { LimitInMode, ModesAnswer } from "./answers.ts";
import { columns } from "./columns.ts";

type ModeOptions = ChangeOptions & {
  readonly limit?: string;
  readonly rule?: string;
  readonly domain?: string;
  readonly all?: true;
};

/** `spillway mode`: shows the modes of limits, or switches them. */
export const mode: AdminCommand = {
  name: "mode",
  about: "switch limits to enforce, shadow or off; without a mode, show all modes",
  argument: ["[mode]", "enforce, shadow or off"],
  options: [
    new Option("--limit <name>", "one limit, such as shop/user"),
    new Option("--rule <name>", "all limits with this rate_limit.name"),
    new Option("--domain <domain>", "all limits of a domain"),
    new Option("--all", "every limit"),
    ...changeOptions({ isNeeded: false }),
  ],
  call: callOf,
  show: showModes,
};

const NO_REASON = "a mode is given without --reason, expected why, for the audit log";

function callOf(options: ModeOptions, mode?: string) {
  const { limit, rule, domain, all } = options;
  const at = { limit, rule, domain, all };
  const isNamed = Object.values(at).some((one) => one !== undefined);
  if (mode !== undefined) {
    if (options.reason === undefined) throw new CommandError("bad-admin", NO_REASON);
    return { path: "mode", body: { ...at, mode, ...saidIn(options) } };
  }
  if (!isNamed) return { path: "modes" };
  const expected = "expected enforce, shadow or off, as in spillway mode off --limit shop/user";
  throw new CommandError("bad-admin", `limits are named without a mode, ${expected}`);
}

/** The answer of a switch has no switches, but the limits that it concerns. */
type ShownModes = Omit<ModesAnswer, "switches"> & Partial<Pick<ModesAnswer, "switches">>;

function showModes({ version, limits, switches }: ShownModes): readonly string[] {
  const table = columns([["limit", "mode"], ...limits.map(cells)]);
  if (switches === undefined) return [`done, version ${version}`, ...table];
  const switched = switches.length === 0 ? "nothing" : switches.map(describeSwitch).join(", ");
  return [...table, `switched: ${switched}`, `version ${version}`];
}

function cells({ limit, mode }: LimitInMode): readonly string[] {
  return [limit, mode];
}
