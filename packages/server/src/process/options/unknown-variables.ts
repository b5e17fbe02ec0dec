/** Variables that look like the service's own, and are none. */
import { nearest, printable } from "spillway/support";
import { VariableOption } from "./option.ts";
import { serveOptions } from "./serve-options.ts";
import type { Environment } from "./variable.ts";

/** The variable by which a worker knows that it is one, and which. */
export const WORKER = "SPILLWAY_WORKER";

/** Those without an option. */
const OTHERS = [
  "SPILLWAY_ADMIN_TOKEN",
  "SPILLWAY_STORE_TOKEN",
  "SPILLWAY_METRICS_TOKEN",
  "SPILLWAY_SENTINEL_PASSWORD",
  WORKER,
];

/** Names that Kubernetes gives what it says of a service whose name begins with `spillway`. */
const OF_KUBERNETES = /_(?:SERVICE_(?:HOST|PORT)|PORT_\d+)(?:_|$)/;
/** `SPILLWAY_PORT` may be one of them, or somebody means `PORT`: the value decides. */
const PORT = /_PORT$/;
const ADDRESS = /^(?:tcp|udp|sctp):\/\//;

const PREFIX = "SPILLWAY_";

/** A line for each variable that does nothing for its name alone: one of a token, misspelt, leaves the service open. */
export function unknownIn(env: Environment): readonly string[] {
  const options = serveOptions().filter((option) => option instanceof VariableOption);
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
      return `${printable(name, 100)} is no variable of the service${hint}`;
    });
}

type Named = { readonly name: string; readonly value: string };

function isOfKubernetes({ name, value }: Named): boolean {
  return OF_KUBERNETES.test(name) || (PORT.test(name) && ADDRESS.test(value));
}

function withoutPrefix(name: string): string {
  return name.slice(PREFIX.length);
}
