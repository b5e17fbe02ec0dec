/** Parsers of values that several options share. All throw InvalidArgumentError. */
import { InvalidArgumentError } from "commander";

type NumberRange = { readonly least: number; readonly most: number };

/** Creates a parser of whole numbers in a range. */
export function toWhole({ least, most }: NumberRange): (text: string) => number {
  return (text) => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`);
  };
}

/** Parses an address to listen on. An empty one would mean all addresses. */
export function toHost(text: string): string {
  if (text !== "") return text;
  throw new InvalidArgumentError("Expected an address such as 127.0.0.1.");
}

/** Parses the path of a file. */
export function toFile(text: string): string {
  if (text !== "") return text;
  throw new InvalidArgumentError("Expected a file.");
}
