/** What operators see of a service whose store is away, and how tests wait for it. */
import { until } from "../../../spillway/test/servers/until.ts";
import type { ServiceProcess } from "./service-process.ts";
import { requestOf } from "./yearly.ts";

export const DEGRADED = "200 OK, degraded: the store gives no answer";

/** Waits until a service says so of its health, which it finds out once a second. */
export function isHealthy(service: ServiceProcess, health: string): Promise<void> {
  return until(async () => (await service.health()) === health, { what: `it says ${health}` });
}

/** Waits until a service answers with its store; asking is all that it takes. */
export async function recovered(service: ServiceProcess): Promise<void> {
  const isThere = async () => (await service.post("/v1/value", requestOf("ann"))).status === 200;
  await until(isThere, { what: "the store is back" });
  await isHealthy(service, "200 OK");
}

export function told(service: ServiceProcess, pattern: RegExp): number {
  return service.warnings.filter((warning) => pattern.test(warning)).length;
}
