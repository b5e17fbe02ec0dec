/** Parses URLs of Redis, with one server or many. All functions are pure. */
import { isIPv6 } from "node:net";
import { printable } from "spillway/support";
import { CODES, decoded, UrlError } from "./url-parts.ts";

export type HostPort = { readonly host: string; readonly port: number };

type Destination =
  | { readonly topology: "node"; readonly node: HostPort; readonly db: number }
  | { readonly topology: "cluster"; readonly nodes: readonly HostPort[] }
  | {
      readonly topology: "sentinel";
      readonly sentinels: readonly HostPort[];
      /** The master's name at the sentinels. */
      readonly master: string;
      readonly db: number;
    };

type Access = {
  readonly tls: boolean;
  readonly username: string | undefined;
  readonly password: string | undefined;
};

/** The servers of a Redis, and the credentials for it. */
export type RedisLocation = Destination &
  Access & {
    /** The URL without user and password, but with all ports, for messages. */
    readonly name: string;
  };

/** The login for sentinels; undefined: none. */
export type SentinelAccess = {
  readonly username?: string | undefined;
  readonly password?: string | undefined;
};

const FORMS =
  "redis://host:port/db, redis+cluster://host:port,host:port or " +
  "redis+sentinel://host:port,host:port/master-name/db, and rediss for TLS";

/** The parts of a URL; `path` is without its slashes. */
type RedisUrlParts = { readonly hosts: string; readonly path: readonly string[] };

const DESTINATIONS: ReadonlyMap<string, (parts: RedisUrlParts) => Destination> = new Map([
  ["redis", toNode],
  ["redis+cluster", toCluster],
  ["redis+sentinel", toSentinel],
]);

export const REDIS_SCHEMES = [...DESTINATIONS.keys()].flatMap((scheme) => [
  scheme,
  scheme.replace("redis", "rediss"),
]);

/** Parses a URL. @throws UrlError */
export function readRedisUrl(text: string): RedisLocation {
  const [, written = "", rest = ""] = /^([^:/]*):\/\/(.*)$/s.exec(text.trim()) ?? [];
  const scheme = written.toLowerCase();
  const tls = scheme.startsWith("rediss");
  const destination = DESTINATIONS.get(scheme.replace("rediss", "redis"));
  const [, userinfo, hosts = "", path = ""] = AUTHORITY_AND_PATH.exec(rest) ?? [];
  if (destination === undefined || hosts === "") throw new UrlError(FORMS + CODES);
  const parts = { hosts, path: path.replace(/\/$/, "").split("/").slice(1) };
  const place = destination(parts);
  const shown = hostsOf(place).map(shownHost).join(",");
  const name = printable(`${scheme}://${shown}${path}`, LONGEST_NAME);
  return { name, tls, ...credentials(userinfo), ...place };
}

function hostsOf(place: Destination): readonly HostPort[] {
  if (place.topology === "node") return [place.node];
  return place.topology === "cluster" ? place.nodes : place.sentinels;
}

function shownHost({ host, port }: HostPort): string {
  return `${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/** The longest name in messages, in characters. Many hosts make a long one. */
const LONGEST_NAME = 1000;

const AUTHORITY_AND_PATH = /^(?:([^/?#]*)@)?([^@/?#]+)(\/[^@?#]*)?$/s;

function credentials(userinfo: string | undefined) {
  if (userinfo === undefined) return { username: undefined, password: undefined };
  const [, username = "", password = ""] = /^([^:]*):?(.*)$/s.exec(userinfo) ?? [];
  if (password === "") throw new UrlError("user:password or :password before the @");
  return { username: decoded(username) || undefined, password: decoded(password) };
}

function toNode({ hosts, path }: RedisUrlParts): Destination {
  const [node, ...others] = toHosts(hosts, 6379);
  const [db, ...more] = path;
  if (node === undefined || others.length > 0) {
    throw new UrlError("one host; for many, redis+cluster:// or redis+sentinel://");
  }
  if (more.length > 0) throw new UrlError("at most a database after the host, such as /0");
  return { topology: "node", node, db: toDb(db) };
}

function toCluster({ hosts, path }: RedisUrlParts): Destination {
  if (path.length > 0) throw new UrlError("no path: a cluster has one database");
  return { topology: "cluster", nodes: toHosts(hosts, 6379) };
}

function toSentinel({ hosts, path }: RedisUrlParts): Destination {
  const [master = "", db, ...more] = path;
  if (master === "" || more.length > 0) {
    throw new UrlError("the master's name after the hosts, such as /mymaster/0");
  }
  const sentinels = toHosts(hosts, 26379);
  return { topology: "sentinel", sentinels, master: decoded(master), db: toDb(db) };
}

function toDb(text = "0"): number {
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new UrlError("a number as the database, such as /0");
}

function toHosts(text: string, usual: number): readonly HostPort[] {
  return text.split(",").map((one) => {
    const [, ipv6, host = ipv6, port = usual] = HOST_AND_PORT.exec(one) ?? [];
    if (host !== undefined && Number(port) <= 65535) return { host, port: Number(port) };
    throw new UrlError("hosts such as 127.0.0.1:6379, separated by commas");
  });
}

const HOST_AND_PORT = /^(?:\[([\da-f:.]+)\]|([^\s[\]:]+))(?::(\d{1,5}))?$/i;
