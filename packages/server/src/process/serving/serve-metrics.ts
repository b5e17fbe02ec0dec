/** The optional separate port for metrics. */
import type { AddressInfo } from "node:net";
import { createMetricsServer, type MetricsServerOptions } from "../../transports/http-api/index.ts";
import { hostAndPort, listenAt } from "../listen-at.ts";

export type MetricsService = {
  readonly where: string | undefined;
  readonly close: () => Promise<void>;
};

type MetricsAddress = { readonly host: string; readonly port: number | undefined };

const NONE: MetricsService = { where: undefined, close: async () => {} };

/** Starts to serve metrics, if they have a port. @throws CommandError if it can't */
export async function serveMetrics(
  { host, port }: MetricsAddress,
  options: MetricsServerOptions,
): Promise<MetricsService> {
  if (port === undefined) return NONE;
  const app = await createMetricsServer(options);
  await listenAt(
    { host, port, option: "--metrics-port", variable: "SPILLWAY_METRICS_PORT" },
    { listen: () => app.listen({ host, port }), close: () => app.close() },
  );
  return {
    where: `Metrics on http://${hostAndPort(app.server.address() as AddressInfo)}/metrics`,
    close: () => app.close(),
  };
}
