import { printable } from "spillway/support";
import { CODES, decoded, UrlError } from "./url-parts.ts";

/** A database of Postgres. */
export type PostgresPlace = {
  readonly topology: "database";
  /** The URL as node-postgres is to read it; it may hold a password. */
  readonly url: string;
  /** The URL without user, password and settings, and with the port: what messages call it. */
  readonly name: string;
};

export const POSTGRES_SCHEMES = ["postgres", "postgresql"];

/** The parts that every URL has; node-postgres reads the rest. */
const URL_PARTS = /^([a-z]+:\/\/)(?:[^/?#]*@)?([^@/?#,\s]+(?:\/[^@/?#\s]*)?)(?:\?[^@#\s]*)?$/i;

/**
 * Reads `postgres://user:password@host:port/database?settings`; where there is no port, it is that
 * of the environment, as node-postgres has it.
 *
 * @throws UrlError
 */
export function readPostgresUrl(text: string): PostgresPlace {
  const written = text.trim();
  const [, scheme = "", place = ""] = URL_PARTS.exec(written) ?? [];
  if (place === "" || !URL.canParse(written)) {
    throw new UrlError(`postgres://user:password@host:port/database${CODES}`);
  }
  decoded(written);
  const url = withPlainTls(new URL(written)).href;
  return { topology: "database", url, name: printable(scheme.toLowerCase() + withPort(place)) };
}

/** The directory of a socket has no port to be shown. */
function withPort(place: string): string {
  const [, host = "", rest = ""] = /^((?!%2F)(?:\[[^\]]*\]|[^/:]+))(\/.*)?$/is.exec(place) ?? [];
  return host === "" ? place : `${host}:${process.env.PGPORT || 5432}${rest}`;
}

/** Ways to connect over TLS for which node-postgres wants the server to prove who it is, till now. */
const PROVEN = ["prefer", "require", "verify-ca", "verify-full"];
const MODES = ["disable", "no-verify", ...PROVEN];

/**
 * Names the strictest of the modes that node-postgres treats alike: it warns of the others, for its
 * next version is to read them as libpq does, and then a server need not prove anything.
 */
function withPlainTls(url: URL): URL {
  const settings = url.searchParams;
  const mode = settings.get("sslmode");
  if (mode === null || settings.get("uselibpqcompat") === "true") return url;
  if (!MODES.includes(mode)) throw new UrlError(`an sslmode that is one of ${MODES.join(", ")}`);
  if (PROVEN.includes(mode)) settings.set("sslmode", "verify-full");
  return url;
}
