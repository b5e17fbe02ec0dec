/** Readers of values that several options share. All throw InvalidArgumentError. */
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

/** Reads an address to listen on. Nothing would be all addresses. */
export function toHost(text: string): string {
  if (text !== "") return text;
  throw new InvalidArgumentError("Expected an address such as 127.0.0.1.");
}

/** Reads the path of a file. */
export function toFile(text: string): string {
  if (text !== "") return text;
  throw new InvalidArgumentError("Expected a file.");
}
