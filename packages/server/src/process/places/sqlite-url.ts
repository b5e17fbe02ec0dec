import { UrlError } from "./url-parts.ts";

/** A SQLite file. */
export type SqliteLocation = { readonly topology: "file"; readonly path: string };

/**
 * Parses `sqlite:` and the path of a file, with or without `//` before it. Pure. @throws UrlError
 */
export function readSqliteUrl(text: string): SqliteLocation {
  const [, path = ""] = /^sqlite:(?:\/\/)?(.*)$/is.exec(text.trim()) ?? [];
  if (path !== "" && !path.startsWith(":")) return { topology: "file", path };
  throw new UrlError("a file after sqlite:, such as sqlite:limits.db or sqlite:/var/lib/limits.db");
}
