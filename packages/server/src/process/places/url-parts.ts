/** Helpers for the URLs of all stores. All functions are pure. */

/**
 * Thrown for a mistake in a URL. The message contains the expected form, and no part of the input.
 */
export class UrlError extends Error {
  override readonly name = "UrlError";
}

/** How to write characters that would otherwise end a user or a password. */
export const CODES =
  ". In a user or a password, write : / ? # @ and % as %3A %2F %3F %23 %40 and %25";

/** Decodes the %-codes of a part. @throws UrlError */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new UrlError(`only %-codes of UTF-8${CODES}`);
  }
}
