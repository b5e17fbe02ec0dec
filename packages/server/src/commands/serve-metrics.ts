/** The port of its own that metrics may have. */
import type { AddressInfo } from "node:net";
import { createMetricsServer, type MetricsServerOptions } from "../transports/http-api/index.ts";
import { cannotListen } from "./command-error.ts";

export type MetricsService = {
  readonly where: string | undefined;
  readonly close: () => Promise<void>;
};

type Place = { readonly host: string; readonly port: number | undefined };

const NONE: MetricsService = { where: undefined, close: async () => {} };

/** Serves them, where they have a port. @throws CommandError where that can't be */
export async function serveMetrics(
  { host, port }: Place,
  options: MetricsServerOptions,
): Promise<MetricsService> {
  if (port === undefined) return NONE;
  const app = await createMetricsServer(options);
  try {
    await app.listen({ host, port });
  } catch (error) {
    await app.close();
    const settings = { option: "--metrics-port", variable: "SPILLWAY_METRICS_PORT" };
    throw cannotListen(error, { host, port, ...settings });
  }
  const { address, family, port: found } = app.server.address() as AddressInfo;
  const name = family === "IPv6" ? `[${address}]` : address;
  return {
    where: `Metrics on http://${name}:${found}/metrics`,
    close: () => app.close(),
  };
}
