/** Parts of the URLs of all stores. All pure. */

/** A mistake in a URL. It says what was expected, and nothing of what was found. */
export class UrlError extends Error {
  override readonly name = "UrlError";
}

/** How to write what would otherwise end a user or a password. */
export const CODES =
  ". In a user or a password, write : / ? # @ and % as %3A %2F %3F %23 %40 and %25";

/** A part without its %-codes. @throws UrlError */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new UrlError(`only %-codes of UTF-8${CODES}`);
  }
}
