/** The dashboard and the alerts ask for what there is: every query against the page of a known run. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { type Family, readMetrics } from "../support/prometheus.ts";
import { type KnownRun, knownRun } from "./known-run.ts";

const read = (name: string) =>
  readFileSync(new URL(`../../../../examples/grafana/${name}`, import.meta.url), "utf8");

type Panel = {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly datasource?: { readonly type: string; readonly uid: string };
  readonly gridPos: {
    readonly x: number;
    readonly y: number;
    readonly w: number;
    readonly h: number;
  };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
};

const dashboard = JSON.parse(read("spillway.json")) as {
  readonly uid: string;
  readonly schemaVersion: number;
  readonly panels: readonly Panel[];
  readonly templating: {
    readonly list: readonly { readonly name: string; readonly type: string }[];
  };
};
const alerts = parse(read("alerts.yaml")) as {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert: string; readonly expr: string }[];
  }[];
};

const panels = dashboard.panels.filter(({ type }) => type !== "row");
const queries = [
  ...panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => ({ title, expr, legendFormat })),
  ),
  ...alerts.groups.flatMap(({ rules }) =>
    rules.map(({ alert, expr }) => ({ title: alert, expr, legendFormat: "" })),
  ),
];

/** Every selector of a query: its name, and what it says of labels. */
const SELECTOR = /\b((?:spillway|process|nodejs)_\w+)(?:\{([^}]*)\})?/g;
const MATCHER = /(\w+)(=~|!~|!=|=)"([^"]*)"/g;
/** What only a store across a network, or its outage, makes be there. */
const OF_OUTAGES = new Set([
  "spillway_store_breaker_open",
  "spillway_degraded_decisions_total",
  "spillway_store_errors_total",
  "spillway_store_events_total",
]);
/** Prometheus' own, of which a page knows nothing. */
const OF_TARGETS = new Set(["instance", "job"]);

let run: KnownRun;
let families: Map<string, Family>;
beforeAll(async () => {
  run = await knownRun();
  families = readMetrics(await run.metrics());
});
afterAll(() => run[Symbol.asyncDispose]());

function familyOf(name: string): Family | undefined {
  return families.get(name) ?? families.get(name.replace(/_(?:bucket|sum|count)$/, ""));
}

function fits(value: string, { operator, wanted }: { operator: string; wanted: string }): boolean {
  const isSame = operator.includes("~")
    ? new RegExp(`^(?:${wanted})$`).test(value)
    : value === wanted;
  return operator.startsWith("!") ? !isSame : isSame;
}

describe("queries", () => {
  it.each(queries)("$title: $expr", ({ expr, legendFormat }) => {
    const selectors = [...expr.matchAll(SELECTOR)];
    expect(selectors.length).toBeGreaterThan(0);
    const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = ""]) =>
      list.split(/, */),
    );
    const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = ""]) => label);
    // What a legend shows is what is left after grouping.
    expect(grouped).toEqual(expect.arrayContaining(shown));
    for (const [, name = "", inner = ""] of selectors) {
      const family = familyOf(name);
      expect(family, name).toBeDefined();
      if (family === undefined || OF_OUTAGES.has(family.name)) continue;
      const samples = family.samples.filter((one) => one.name === name);
      const matchers = [...inner.matchAll(MATCHER)]
        .map(([, label = "", operator = "", wanted = ""]) => ({ label, operator, wanted }))
        .filter(({ label }) => !OF_TARGETS.has(label));
      // All its matchers together find something in the known run.
      const found = samples.filter(({ labels }) =>
        matchers.every(({ label, ...how }) => label in labels && fits(labels[label] ?? "", how)),
      );
      expect(found.length, `${name}{${inner}}`).toBeGreaterThan(0);
      const labels = new Set(samples.flatMap((one) => Object.keys(one.labels)));
      for (const label of grouped.filter((one) => !OF_TARGETS.has(one)))
        expect(labels).toContain(label);
    }
    const depth = [...expr].reduce((sum, one) => sum + (one === "(" ? 1 : one === ")" ? -1 : 0), 0);
    expect(depth).toBe(0);
  });

  it("rate counters and histograms, and nothing else", () => {
    for (const { expr } of queries) {
      for (const [, name = ""] of expr.matchAll(/\b(?:rate|increase)\((\w+)/g)) {
        expect(["counter", "histogram"], name).toContain(familyOf(name)?.type);
      }
      for (const [, name = ""] of expr.matchAll(
        /histogram_quantile\([^,]+, sum by \(le[^)]*\) \(rate\((\w+)/g,
      )) {
        expect(name).toMatch(/_bucket$/);
      }
    }
  });
});

describe("the dashboard", () => {
  it("is one that Grafana imports", () => {
    expect(dashboard.schemaVersion).toBeGreaterThanOrEqual(36);
    expect(dashboard.uid).toMatch(/^[\w-]{1,40}$/);
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(dashboard.templating.list.map(({ name, type }) => [name, type])).toEqual([
      ["datasource", "datasource"],
      ["instance", "query"],
    ]);
    for (const { datasource } of panels) {
      expect(datasource).toEqual({ type: "prometheus", uid: "$" + "{datasource}" });
    }
  });

  it("has no two panels in one place, and none beside the grid", () => {
    const taken = new Map<string, string>();
    for (const {
      title,
      gridPos: { x, y, w, h },
    } of dashboard.panels) {
      expect(x + w).toBeLessThanOrEqual(24);
      for (let row = y; row < y + h; row++) {
        for (let column = x; column < x + w; column++) {
          expect(taken.get(`${row} ${column}`), title).toBe(undefined);
          taken.set(`${row} ${column}`, title);
        }
      }
    }
  });

  it("shows every series of the service", () => {
    const asked = new Set(
      queries.flatMap(({ expr }) =>
        [...expr.matchAll(SELECTOR)].map(([, name]) => familyOf(name ?? "")?.name),
      ),
    );
    const own = [...families.keys()].filter((name) => name.startsWith("spillway_"));
    expect(own.filter((name) => !asked.has(name))).toEqual([]);
  });
});
