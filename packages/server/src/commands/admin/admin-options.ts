/** Options of the commands that call an administration listener. */
import { InvalidArgumentError, Option } from "commander";
import { LONGEST, milliseconds } from "spillway/core";
import { optionOf, toWhole } from "../../process/options/index.ts";
import { toAdminUrl } from "./admin-url.ts";

/** Creates the options that all these commands have. */
export function callOptions(): readonly Option[] {
  return [
    optionOf({
      flags: "--admin <url>",
      about: "the administration: http://host:port, https://host:port or unix:/path",
      env: "SPILLWAY_ADMIN_URL",
      read: toAdminUrl,
    }),
    new Option("--as <name>", "your name, for the audit log"),
    new Option("--json", "print the answer as JSON"),
  ];
}

type Reasons = { readonly isNeeded: boolean };

/** Creates the options that all changes have. */
export function changeOptions({ isNeeded }: Reasons): readonly Option[] {
  const reason = new Option("--reason <text>", "why, for the audit log");
  return [
    isNeeded ? reason.makeOptionMandatory() : reason,
    new Option(
      "--if-version <number>",
      "the version that you have read: refused if somebody has changed it since",
    ).argParser(toWhole({ least: 0, most: 999_999_999 })),
  ];
}

/** Creates the option for the number of items. */
export function countOption(): Option {
  return new Option("--count <number>", "the most lines")
    .argParser(toWhole({ least: 1, most: 999 }))
    .default(20);
}

/** Creates the option for the length of a change. Its value is in milliseconds. */
export function forOption(): Option {
  const about = "how long, such as 15m or 12h: from 1ms to 366d";
  return new Option("--for <time>", about).argParser(toTime);
}

function toTime(text: string): number {
  const ms = milliseconds(text);
  if (ms !== undefined && ms >= 1 && ms <= LONGEST) return ms;
  throw new InvalidArgumentError("Expected a time such as 15m, from 1ms to 366d.");
}
