import { type NetworkEndpoint, placeOf } from "../../../internal/index.ts";

/**
 * The address in a driver: node-postgres' clients have it themselves, pools and postgres.js have it
 * in `options`.
 */
type Configured = NetworkEndpoint & {
  readonly options?: NetworkEndpoint & { readonly connectionString?: unknown };
};

/** Returns the name of a database for messages: its address, if the driver reports it. */
export function placeOfDatabase(pool: object): string {
  const { options, host, port } = pool as Configured;
  const url = options?.connectionString;
  return placeOf("postgres", url === undefined ? { host, port, ...options } : { url });
}
