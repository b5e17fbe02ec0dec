/** The output of commands, and its streams. */
import { printable } from "spillway/support";

/**
 * Lets commands go on where nobody reads what they print, as in `spillway check rules | head -1`: a
 * service outlives its console, and a check ends with the code of what it found.
 */
export function allowClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error) => {
      // A full disk, for example, is a failure.
      if (!isReaderGone(error, stream)) process.exitCode = 1;
    });
  }
}

/** Whether an error of a stream means that nobody reads it: its pipe or its terminal is closed. Pure. */
export function isReaderGone(
  { code }: NodeJS.ErrnoException,
  { isTTY = false }: { readonly isTTY?: boolean },
): boolean {
  return code === "EPIPE" || (code === "EIO" && isTTY);
}

/** Prints what a user did wrong. What it shows of their input can do no harm. */
export function printError(message: string): void {
  console.error(printable(withoutCredentials(message), Number.POSITIVE_INFINITY));
}

/** A store's URL may stand where something else belongs, as after a misspelt option. Pure. */
function withoutCredentials(message: string): string {
  // What is expected is shown with these words.
  return message.replace(/:\/\/(?!user:password@)\S*@/g, "://***@");
}

/** The longest error of the command line's own, in characters. */
const LONGEST_ERROR = 1000;

/** An error of the command line's own, which repeats arguments as they are. Pure. */
export function printableError(text: string): string {
  const [, error = "", suggestion = ""] =
    /^(.*?)(\n\(Did you mean [^\n]*\))?\n?$/s.exec(withoutCredentials(text)) ?? [];
  return `${printable(error, LONGEST_ERROR)}${suggestion}\n`;
}
