/** A proxy as a process that sheds: its console and its metrics. */
import { describe, expect, it } from "vitest";
import { type Family, readMetrics, sampleOf } from "../../support/prometheus.ts";
import { type ServiceProcess, startService } from "../../support/service-process.ts";
import { RULES, upstreamOf } from "./scene.ts";

const ARGS = [
  ...["--metrics-port", "0", "--upstream-connections", "1"],
  ...["--priority", "critical /critical/*; background /background/*"],
  ...["--deadline-header", "x-wait-ms"],
];

async function startProxy(to: string, shed: "enforce" | "shadow"): Promise<ServiceProcess> {
  const args = ["--to", to, "--shed", shed, ...ARGS];
  return startService({ command: "proxy", rules: RULES, args });
}

async function metricsOf({ said }: ServiceProcess): Promise<Map<string, Family>> {
  const [, page = ""] = /Metrics on (\S+)/.exec(said) ?? [];
  return readMetrics(await (await fetch(page)).text());
}

describe.concurrent("a shed request", () => {
  it.each([
    { shed: "enforce", status: 503, mode: "enforced", said: "Shedding by priority\n" },
    { shed: "shadow", status: 200, mode: "shadow", said: "Shedding by priority, in shadow" },
  ] as const)("is counted by its priority: $shed", async ({ shed, status, mode, said }) => {
    const to = await upstreamOf((_, response) => void response.end());
    await using proxy = await startProxy(to, shed);
    const headers = { "x-wait-ms": "0" };
    const response = await fetch(`${proxy.url}/background/1`, { headers });
    expect(response.status).toBe(status);
    expect(proxy.said).toContain(said);
    const labels = { priority: "background", cause: "late", mode };
    const metrics = await metricsOf(proxy);
    expect(sampleOf(metrics, "spillway_shed_total", labels)).toBe(1);
    expect(sampleOf(metrics, "spillway_shedder_capacity")).toBe(1);
    expect(sampleOf(metrics, "spillway_shedder_share")).toBe(1);
    // Those that shadow has spared are counted once.
    const admitted = { priority: "background" };
    expect(sampleOf(metrics, "spillway_shedder_admitted_total", admitted)).toBe(0);
    expect(await proxy.stop()).toBe(0);
  });
});
