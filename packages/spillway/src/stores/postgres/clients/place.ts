import { type NetworkEndpoint, placeOf } from "../../../internal/index.ts";

/** What drivers say of where they connect to: node-postgres' clients themselves, pools and postgres.js in options. */
type Configured = NetworkEndpoint & {
  readonly options?: NetworkEndpoint & { readonly connectionString?: unknown };
};

/** What messages call a database: its address, where the driver says it. */
export function placeOfDatabase(pool: object): string {
  const { options, host, port } = pool as Configured;
  const url = options?.connectionString;
  return placeOf("postgres", url === undefined ? { host, port, ...options } : { url });
}
