/**
 * Writes the page of `/metrics`: the service's series, then those of the process by prom-client.
 */
import type { Registry } from "prom-client";
import { exposition } from "./exposition.ts";
import type { Series } from "./series.ts";

/**
 * prom-client is loaded at the first scrape, so that a service without scrapes starts without it.
 */
let process: Promise<Registry> | undefined;

/** Writes the page, part by part. */
export async function* metricsText(series: readonly Series[]): AsyncGenerator<string> {
  process ??= processRegistry();
  const registry = await process;
  yield* exposition(series);
  yield `${await registry.metrics()}\n`;
}

async function processRegistry(): Promise<Registry> {
  const { collectDefaultMetrics, Registry } = await import("prom-client");
  const register = new Registry();
  collectDefaultMetrics({ register });
  return register;
}
