/** The alarms of the library ask for series that the page's recipes make, with labels that they have. */
import { Registry } from "prom-client";
import { MINUTE, RateLimiter, type RateLimiterOptions } from "spillway";
import { utilizationShedder } from "spillway/shedding";
import { type Executor, type ResilienceOptions, resilient } from "spillway/store";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { fences, read } from "../pages.ts";
import { withModule } from "./printed.ts";

type Recipe = {
  readonly limiterMetrics: (registry: Registry) => {
    readonly onCall: NonNullable<RateLimiterOptions["onCall"]>;
    readonly onEvent: NonNullable<ResilienceOptions["onEvent"]>;
  };
};

type Alerts = { readonly groups: readonly { readonly rules: readonly { expr: string }[] }[] };

const PAGE = "docs/telemetry.md";
const SELECTOR = /\b((?:limiter|shedder)_\w+)(?:\{([^}]*)\})?/g;
const LABEL = /(\w+)(?:=~|!=|=)"/g;

/** The series that alarms ask for, and the labels that they name. */
function asked(): readonly (readonly [series: string, labels: readonly string[]])[] {
  const { groups } = parse(read("examples/grafana/library-alerts.yaml")) as Alerts;
  return groups
    .flatMap(({ rules }) => rules)
    .flatMap(({ expr }) => [...expr.matchAll(SELECTOR)])
    .map(([, series = "", labels = ""]) => [
      series,
      [...labels.matchAll(LABEL)].map(([, label = ""]) => label),
    ]);
}

/** A limiter whose store is away, by the page's recipe. */
async function limit(registry: Registry, { limiterMetrics }: Recipe): Promise<void> {
  const { onCall, onEvent } = limiterMetrics(registry);
  const away: Executor<"later"> = {
    timing: "later",
    name: "away",
    execute: () => Promise.reject(new Error("away")),
  };
  const store = resilient(away, { onEvent, breaker: { failures: 1 } });
  const limits = {
    logins: { kind: "token bucket", rate: 1, period: MINUTE },
    jobs: { kind: "concurrency", capacity: 1, ttl: MINUTE, whenUnavailable: "open" },
  } as const;
  const limiter = new RateLimiter(limits, { store, onCall });
  await limiter.limit("logins");
  await limiter.acquire("jobs");
}

test("every series and label of an alarm is on a page of the recipes", async () => {
  const registry = new Registry();
  await withModule(PAGE, (recipe: Recipe) => limit(registry, recipe), indexOf("limiterMetrics"));
  await withModule(
    PAGE,
    async ({ shedderMetrics }: { shedderMetrics: (...all: unknown[]) => void }) =>
      shedderMetrics(registry, "api", utilizationShedder({ signal: () => 0 })),
    indexOf("shedderMetrics"),
  );
  const page = await registry.metrics();
  expect(asked().length).toBeGreaterThan(6);
  for (const [series, labels] of asked()) {
    const lines = page.split("\n").filter((line) => line.startsWith(`${series}{`));
    expect(lines, series).not.toEqual([]);
    for (const label of labels) expect(lines[0]).toContain(`${label}="`);
  }
});

/** Which of the page's programs has a recipe. */
function indexOf(name: string): number {
  return fences(read(PAGE), "ts").findIndex((program) => program.includes(`function ${name}(`));
}
