/** What routes one behind the other report: every limit that a request has passed, each once. */
import fc from "fast-check";
import { parseList } from "structured-headers";
import { describe, expect, test } from "vitest";
import type { HeaderForm } from "../../../src/http/headers/index.ts";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { manualClock } from "../../../src/testing/index.ts";
import { runs } from "../../runs.ts";
import type { AnyRoute, Host } from "./host.ts";
import { HOSTS } from "./hosts/index.ts";

const LIMITS = {
  search: { kind: "token bucket", rate: 3, period: "1m" },
  daily: { kind: "fixed window", rate: 4, period: "1d", start: 0 },
  calls: { kind: "sliding log", rate: 9, period: "1h" },
} as const;

type Name = keyof typeof LIMITS;
type Ask = { readonly limit: Name; readonly key: string; readonly count: number };
type Chained = {
  readonly limits: readonly Ask[];
  readonly headers: readonly HeaderForm[];
  readonly shadow: boolean;
  readonly isSkipped: boolean;
};

const ask: fc.Arbitrary<Ask> = fc.record({
  limit: fc.constantFrom("search", "daily", "calls"),
  key: fc.constantFrom("ada", "eve"),
  count: fc.integer({ min: 1, max: 3 }),
});
/** Most routes are asked, and report. */
const rarely = fc.nat(5).map((drawn) => drawn === 5);
const route: fc.Arbitrary<Chained> = fc.record({
  limits: fc.uniqueArray(ask, { selector: ({ limit }) => limit, minLength: 1 }),
  headers: fc.constantFrom<HeaderForm[]>(
    ["draft"],
    ["draft"],
    ["draft", "x-ratelimit"],
    ["x-ratelimit"],
    [],
  ),
  shadow: rarely,
  isSkipped: rarely,
});
const chains = fc.array(route, { minLength: 1, maxLength: 4, size: "max" });

/** What a response reports: what is left by the names of limits, and the wait. */
type Reported = {
  readonly status: number;
  readonly policies: readonly string[];
  readonly draft: readonly (readonly [name: string, left: number])[];
  readonly legacy: string | null;
  readonly retryAfter: string | null;
};

describe.each(HOSTS)("$name", (host) => {
  test("reports every limit that a request has passed, each once, the one that decides first", async () => {
    const check = async (chain: readonly Chained[]) => {
      const { draft, policies, ...got } = await reportedBy(host, chain);
      const { draft: expected, first, ...rest } = expectedOf(chain);
      expect(got).toEqual(rest);
      expect(draft.toSorted()).toEqual(expected.toSorted());
      if (draft.length > 0) expect(draft[0]?.[1]).toBe(first);
      expect(policies.toSorted()).toEqual(expected.map(([name]) => name).toSorted());
    };
    await fc.assert(fc.asyncProperty(chains, check), { numRuns: runs(25) });
  });
});

function limiterOf(): RateLimiter<typeof LIMITS> {
  return new RateLimiter(LIMITS, { store: memoryStore({ clock: manualClock() }) });
}

/** What a chain of routes answers the first request. */
async function reportedBy(host: Host, chain: readonly Chained[]): Promise<Reported> {
  const routes = chain.map(
    ({ isSkipped, ...said }): AnyRoute => ({ ...said, skip: () => isSkipped, warn: () => {} }),
  );
  const limiter = limiterOf();
  const running = await host.start({ limiter, routes, handle: () => ({}) });
  try {
    const { status, headers } = await fetch(`http://127.0.0.1:${running.port}`, {
      headers: { connection: "close" },
    });
    const [policies, draft] = ["ratelimit-policy", "ratelimit"].map((name) =>
      parseList(headers.get(name) ?? ""),
    );
    return {
      status,
      policies: policies?.map(([name]) => String(name)) ?? [],
      draft: draft?.map(([name, known]) => [String(name), Number(known.get("r"))]) ?? [],
      legacy: headers.get("x-ratelimit-remaining"),
      retryAfter: headers.get("retry-after"),
    };
  } finally {
    await running.close();
  }
}

type Expected = Omit<Reported, "policies"> & { readonly first: number };

/** The same, by what a limiter decides that is asked for one route after the other; and what is left of the first. */
function expectedOf(chain: readonly Chained[]): Expected {
  const limiter = limiterOf();
  const left = new Map<string, number>();
  const forms = new Set<HeaderForm>();
  const answer = { status: 200, retryAfter: null as string | null };
  let first: number | undefined;
  for (const { limits, headers, shadow, isSkipped } of chain) {
    if (isSkipped) continue;
    const { ok, decisions, retryAfter, remaining } = limiter.limitAll(limits);
    if (shadow) continue;
    const isTold = headers.length > 0;
    if (!ok && isTold) left.clear();
    for (const form of headers) forms.add(form);
    for (const one of isTold ? decisions : []) {
      if (ok || !one.ok) left.set(one.limit, Math.min(left.get(one.limit) ?? 9, one.remaining));
    }
    if (ok) continue;
    if (isTold) first = remaining;
    Object.assign(answer, { status: 429, retryAfter: String(Math.ceil(retryAfter / 1000)) });
    break;
  }
  first ??= Math.min(...left.values());
  const draft = forms.has("draft") ? [...left] : [];
  return { ...answer, first, draft, legacy: forms.has("x-ratelimit") ? String(first) : null };
}
