import { printable } from "spillway/support";
import { CODES, decoded, UrlError } from "./url-parts.ts";

/** A Postgres database. */
export type PostgresLocation = {
  readonly topology: "database";
  /** The URL for node-postgres. It may contain a password. */
  readonly url: string;
  /** The URL without user, password and settings, but with the port, for messages. */
  readonly name: string;
};

export const POSTGRES_SCHEMES = ["postgres", "postgresql"];

/** The parts that every URL has. node-postgres parses the rest. */
const URL_PARTS = /^([a-z]+:\/\/)(?:[^/?#]*@)?([^@/?#,\s]+(?:\/[^@/?#\s]*)?)(?:\?[^@#\s]*)?$/i;

/**
 * Parses `postgres://user:password@host:port/database?settings`. Without a port, that of the
 * environment applies, as in node-postgres.
 *
 * @throws UrlError
 */
export function readPostgresUrl(text: string): PostgresLocation {
  const written = text.trim();
  const [, scheme = "", place = ""] = URL_PARTS.exec(written) ?? [];
  if (place === "" || !URL.canParse(written)) {
    throw new UrlError(`postgres://user:password@host:port/database${CODES}`);
  }
  decoded(written);
  const url = withPlainTls(new URL(written)).href;
  return { topology: "database", url, name: printable(scheme.toLowerCase() + withPort(place)) };
}

/** The directory of a socket has no port to show. */
function withPort(place: string): string {
  const [, host = "", rest = ""] = /^((?!%2F)(?:\[[^\]]*\]|[^/:]+))(\/.*)?$/is.exec(place) ?? [];
  return host === "" ? place : `${host}:${process.env.PGPORT || 5432}${rest}`;
}

/** Modes of TLS in which node-postgres verifies the server, in its present version. */
const PROVEN = ["prefer", "require", "verify-ca", "verify-full"];
const MODES = ["disable", "no-verify", ...PROVEN];

/**
 * Replaces each of the modes that node-postgres treats alike by the strictest. It warns of the
 * others, because its next version will treat them as libpq does, without verification.
 */
function withPlainTls(url: URL): URL {
  const settings = url.searchParams;
  const mode = settings.get("sslmode");
  if (mode === null || settings.get("uselibpqcompat") === "true") return url;
  if (!MODES.includes(mode)) throw new UrlError(`an sslmode that is one of ${MODES.join(", ")}`);
  if (PROVEN.includes(mode)) settings.set("sslmode", "verify-full");
  return url;
}
