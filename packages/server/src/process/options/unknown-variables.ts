/** Finds environment variables that look like the service's own, but are not. */
import { nearest, printable } from "spillway/support";
import { VariableOption } from "./option.ts";
import { proxyOptions } from "./proxy-options.ts";
import { serveOptions } from "./serve-options.ts";
import type { Environment } from "./variable.ts";

/** The variable that marks a process as a worker, with its number. */
export const WORKER = "SPILLWAY_WORKER";

/** Variables without an option. */
const OTHERS = [
  "SPILLWAY_ADMIN_TOKEN",
  "SPILLWAY_ADMIN_READ_TOKEN",
  // Of the commands that call an administration listener.
  "SPILLWAY_ADMIN_URL",
  "SPILLWAY_STORE_TOKEN",
  "SPILLWAY_METRICS_TOKEN",
  "SPILLWAY_SENTINEL_PASSWORD",
  WORKER,
];

/** Names that Kubernetes sets for a service whose name begins with `spillway`. */
const OF_KUBERNETES = /_(?:SERVICE_(?:HOST|PORT)|PORT_\d+)(?:_|$)/;
/** `SPILLWAY_PORT` may be set by Kubernetes, or be a mistake for `PORT`. The value decides. */
const PORT = /_PORT$/;
const ADDRESS = /^(?:tcp|udp|sctp):\/\//;

const PREFIX = "SPILLWAY_";

/**
 * Returns a line for each variable without effect because of its name. A misspelt token would leave
 * the service open.
 */
export function unknownIn(env: Environment): readonly string[] {
  const options = [...serveOptions(), ...proxyOptions()].filter(
    (option) => option instanceof VariableOption,
  );
  const known = [...OTHERS, ...options.map(({ variable }) => variable)];
  const unknown = Object.keys(env).filter(
    (name) => name.toUpperCase().startsWith(PREFIX) && !known.includes(name),
  );
  const own = known.filter((name) => name.startsWith(PREFIX)).map((name) => withoutPrefix(name));
  return unknown
    .filter((name) => !isOfKubernetes({ name, value: env[name] as string }))
    .sort()
    .map((name) => {
      const near = nearest(withoutPrefix(name), own);
      const hint = near === undefined ? "" : `. Did you mean ${PREFIX}${near}?`;
      return `${printable(name, 100)} is not a variable of the service${hint}`;
    });
}

type EnvironmentVariable = { readonly name: string; readonly value: string };

function isOfKubernetes({ name, value }: EnvironmentVariable): boolean {
  return OF_KUBERNETES.test(name) || (PORT.test(name) && ADDRESS.test(value));
}

function withoutPrefix(name: string): string {
  return name.slice(PREFIX.length);
}
