/** Prints the output of commands. */
import { printable } from "spillway/support";

/**
 * Lets a command continue after its output is closed, as in `spillway check rules | head -1`. A
 * service outlives its console, and a check ends with the code of its result.
 */
export function allowClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error) => {
      // Other errors, such as a full disk, are failures.
      if (!isReaderGone(error, stream)) process.exitCode = 1;
    });
  }
}

/**
 * Whether an error of a stream means that it is no longer read: its pipe or its terminal is closed.
 * Pure.
 */
export function isReaderGone(
  { code }: NodeJS.ErrnoException,
  { isTTY = false }: { readonly isTTY?: boolean },
): boolean {
  return code === "EPIPE" || (code === "EIO" && isTTY);
}

/** Prints a user's mistake. Control characters in the quoted input are replaced. */
export function printError(message: string): void {
  console.error(printable(withoutCredentials(message), Number.POSITIVE_INFINITY));
}

/** A store's URL may stand in the wrong place, for example after a misspelt option. Pure. */
function withoutCredentials(message: string): string {
  // Messages show the expected form with these words.
  return message.replace(/:\/\/(?!user:password@)\S*@/g, "://***@");
}

/** The longest message of the command line parser, in characters. */
const LONGEST_ERROR = 1000;

/** Formats an error of the command line parser, which repeats arguments unchanged. Pure. */
export function printableError(text: string): string {
  const [, error = "", suggestion = ""] =
    /^(.*?)(\n\(Did you mean [^\n]*\))?\n?$/s.exec(withoutCredentials(text)) ?? [];
  return `${printable(error, LONGEST_ERROR)}${suggestion}\n`;
}
