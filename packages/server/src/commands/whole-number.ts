import { InvalidArgumentError } from "commander";

type Range = { readonly least: number; readonly most: number };

/** Makes what reads an option that is a whole number. */
export function toWhole({ least, most }: Range): (text: string) => number {
  return (text) => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`);
  };
}
