/** Options for durations, in Go's notation. */
import { InvalidArgumentError, type Option } from "commander";
import { milliseconds } from "spillway/core";
import { type Description, optionOf } from "./option.ts";

type TimeDescription = Description & {
  /** The default, as help shows it. */
  readonly usual: string;
  /** Whether 0 is allowed. Default: no. */
  readonly orNone?: boolean;
  /** The longest duration. Default: 366d. */
  readonly most?: string;
};

/** Creates the option. Its value is in milliseconds. */
export function timeOption({
  usual,
  orNone = false,
  most = "366d",
  ...option
}: TimeDescription): Option {
  const read = toMilliseconds({ orNone, most });
  return optionOf({ ...option, read }).default(read(usual), usual);
}

type DurationRange = { readonly orNone: boolean; readonly most: string };

/** Go's durations may have several units, such as 1h30m, and 0 without one. */
function toMilliseconds({ orNone, most }: DurationRange): (text: string) => number {
  const longest = milliseconds(most) ?? 0;
  return (text) => {
    const isTime = text === "0" || /^(?:\d+(?:ms|[smhd]))+$/.test(text);
    const parts = [...text.matchAll(/(\d+)(ms|[smhd])/g)];
    const sum = parts.reduce((all, [, count, unit]) => all + Number(count) * sizeOf(unit), 0);
    if (isTime && sum >= (orNone ? 0 : 1) && sum <= longest) return sum;
    const range = orNone ? `0, or from 1ms to ${most}` : `from 1ms to ${most}`;
    throw new InvalidArgumentError(`Expected a time such as 30m, ${range}.`);
  };
}

function sizeOf(unit = ""): number {
  return milliseconds(`1${unit}`) ?? 0;
}
