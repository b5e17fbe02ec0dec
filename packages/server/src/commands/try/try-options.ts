/** Options of `spillway try`. */
import { InvalidArgumentError, Option } from "commander";
import type { Rate } from "spillway";
import { nearest, RATE_KINDS } from "spillway/support";

const KINDS = Object.keys(RATE_KINDS) as Rate["kind"][];

export function tryOptions(): readonly Option[] {
  return [
    new Option(
      "--burst <units>",
      "the most requests at once; not for sliding kinds. Default: the rate",
    ).argParser(toUnits),
    new Option("--traffic <text>", 'the traffic, such as "30/min for 2m" or "50 at once"'),
    new Option(
      "--kind <kind>",
      `${KINDS.join(", ")}. Repeat it to compare kinds. Default: token bucket`,
    ).argParser(addKind),
  ];
}

function toUnits(text: string): number {
  const units = Number(text);
  if (/^\d+$/.test(text) && units >= 1 && units <= 1e9) return units;
  throw new InvalidArgumentError("Expected a whole number from 1 to 1000000000.");
}

function addKind(text: string, before: readonly Rate["kind"][] = []): readonly Rate["kind"][] {
  const kind = KINDS.find((one) => one === text.toLowerCase().replaceAll("-", " "));
  if (kind === undefined) {
    const near = nearest(text, KINDS);
    const hint = near === undefined ? "" : ` Did you mean "${near}"?`;
    throw new InvalidArgumentError(`Expected ${KINDS.join(", ")}.${hint}`);
  }
  return [...before, kind];
}
