/** Every number of `/metrics` after a known run, read by a strict parser. */
import { readFileSync } from "node:fs";
import { adaptiveShedder } from "spillway/shedding";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SheddingSeries } from "../../src/telemetry/metrics/shedding.ts";
import { type Family, readMetrics, sampleOf } from "../support/prometheus.ts";
import { type KnownRun, knownRun } from "./known-run.ts";

let run: KnownRun;
let families: Map<string, Family>;
beforeAll(async () => {
  run = await knownRun();
  families = readMetrics(await run.metrics());
});
afterAll(() => run[Symbol.asyncDispose]());

const limit = (name: string, outcome: string, mode = "enforced") => ({
  limit: `shop/${name}`,
  mode,
  outcome,
});
const http = (method: string, status: string) => ({ transport: "http", method, status });
const upstream = (key1: string) => ({ domain: "shop", key1 });
const HITS = "ratelimit_service_rate_limit";

describe("/metrics after a known run", () => {
  it.each<[string, Record<string, string>, number]>([
    ["spillway_decisions_total", limit("user", "admitted"), 4],
    ["spillway_decisions_total", limit("user", "limited"), 2],
    ["spillway_decisions_total", limit("trial", "admitted", "shadow"), 1],
    ["spillway_decisions_total", limit("trial", "limited", "shadow"), 2],
    ["spillway_decisions_total", limit("tokens", "admitted"), 2],
    ["spillway_decisions_total", limit("report", "admitted"), 1],
    ["spillway_decisions_total", limit("path", "admitted"), 3],
    ["spillway_decisions_total", limit("path", "limited"), 1],
    ["spillway_decisions_total", limit("staff", "admitted"), 1],
    ["spillway_checks_total", limit("user", "limited"), 1],
    ["spillway_checks_total", limit("user", "admitted"), 0],
    ["spillway_units_total", { limit: "shop/tokens", mode: "enforced" }, 15],
    ["spillway_units_total", { limit: "shop/user", mode: "enforced" }, 4],
    ["spillway_units_total", { limit: "shop/trial", mode: "shadow" }, 1],
    ["spillway_units_total", { limit: "shop/staff", mode: "enforced" }, 7],
    ["spillway_descriptor_decisions_total", descriptor("/a", "admitted"), 2],
    ["spillway_descriptor_decisions_total", descriptor("/a", "refused"), 1],
    ["spillway_descriptor_decisions_total", descriptor("/b", "admitted"), 1],
    ["spillway_unmatched_descriptors_total", { domain: "shop" }, 1],
    ["spillway_unknown_domain_requests_total", {}, 1],
    ["spillway_requests_total", http("/v1/limit", "200"), 12],
    ["spillway_requests_total", http("/v1/limit", "429"), 3],
    ["spillway_requests_total", http("/v1/limit", "400"), 1],
    ["spillway_requests_total", http("/v1/check", "429"), 1],
    ["spillway_requests_total", http("/v1/release", "200"), 2],
    ["spillway_requests_total", http("/json", "200"), 1],
    ["spillway_requests_total", grpc("OK"), 2],
    ["spillway_requests_total", grpc("UNKNOWN"), 1],
    ["spillway_request_duration_seconds_count", { transport: "http", method: "/v1/limit" }, 16],
    [
      "spillway_request_duration_seconds_count",
      { transport: "grpc", method: "ShouldRateLimit" },
      3,
    ],
    ["spillway_connections", { transport: "grpc" }, 1],
    ["spillway_store_call_duration_seconds_count", { verb: "release" }, 2],
    ["spillway_leases_total", { limit: "shop/report", change: "acquired" }, 1],
    ["spillway_leases_total", { limit: "shop/report", change: "renewed" }, 1],
    ["spillway_leases_total", { limit: "shop/report", change: "released" }, 1],
    ["spillway_leases_total", { limit: "shop/report", change: "expired" }, 1],
    ["spillway_reservations_total", { limit: "shop/tokens" }, 1],
    // What was released is a key until its state is found to be a fresh one's.
    ["spillway_memory_evictions_total", {}, 0],
    ["spillway_rule_loads_total", { result: "good" }, 1],
    ["spillway_rule_loads_total", { result: "bad" }, 0],
    ["spillway_rules_current", {}, 1],
    ["spillway_limits", {}, 6],
    ["spillway_defences_total", { defence: "reader-cut" }, 0],
    [`${HITS}_total_hits`, upstream("user"), 6],
    [`${HITS}_within_limit`, upstream("user"), 4],
    [`${HITS}_over_limit`, upstream("user"), 2],
    // Two of ann's three are not near: 0.8 of 3 is 2, rounded down.
    [`${HITS}_near_limit`, upstream("user"), 1],
    [`${HITS}_over_limit`, upstream("trial"), 2],
    [`${HITS}_shadow_mode`, upstream("trial"), 2],
    [`${HITS}_total_hits`, upstream("path_/a"), 3],
    ["ratelimit_service_config_load_success", {}, 1],
    ["ratelimit_service_total_requests", { grpc_method: "ShouldRateLimit" }, 3],
    ["ratelimit_service_should_rate_limit_error", { err_type: "service_error" }, 1],
  ])("%s %o is %d", (name, labels, value) => {
    expect(sampleOf(families, name, labels)).toBe(value);
  });

  it("has the process's own, by their usual names", () => {
    expect(sampleOf(families, "process_resident_memory_bytes")).toBeGreaterThan(1e6);
    expect(families.get("nodejs_eventloop_lag_p99_seconds")?.type).toBe("gauge");
  });

  it("names nobody", async () => {
    const text = await run.metrics();
    expect(text).not.toMatch(/\b(?:ann|bob|unknown|nobody)\b/);
  });

  it("has each series on its page, and no other", () => {
    const page = readFileSync(
      new URL("../../../../docs/service/metrics.md", import.meta.url),
      "utf8",
    );
    const listed = [...page.matchAll(/^\| `((?:spillway|ratelimit)_\w+)`/gm)].map(
      ([, name]) => name,
    );
    const shedding = new SheddingSeries();
    shedding.of(() => adaptiveShedder().stats());
    const all = [...families.keys(), ...shedding.series.map(({ name }) => name)];
    const own = all.filter((name) => /^(?:spillway|ratelimit)_/.test(name));
    expect(listed.sort()).toEqual(own.sort());
  });
});

function descriptor(path: string, outcome: string) {
  return { limit: "shop/path", descriptor: `shop/path=${path.replace("/", "%2F")}`, outcome };
}

function grpc(status: string) {
  return { transport: "grpc", method: "ShouldRateLimit", status };
}
