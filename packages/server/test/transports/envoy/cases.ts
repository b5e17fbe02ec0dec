/** The project's own scenarios: what rules mean, in requests and answers. */
import type { Config, Expected, Scenario, Scenarios, Step } from "./scenario.ts";

const files = (...list: readonly object[]): Config => ({ files: list, env: {} });
const perMinute = (requests_per_unit: number, more: object = {}) => ({
  rate_limit: { unit: "minute", requests_per_unit, ...more },
});

/** `"user=ann,item=1"`, with hits behind: `"user=ann*3"`. */
function descriptor(text: string) {
  const [path = "", hits] = text.split("*");
  const entries = path.split(",").map((entry) => {
    const [key = "", value = ""] = entry.split("=");
    return [key, value] as const;
  });
  if (hits === undefined) return { entries };
  const count = Number(hits);
  return count < 0
    ? { entries, hits_addend: -count, is_negative_hits: true }
    : { entries, hits_addend: count };
}

/** What is asked, and what each descriptor is answered: what is left, `over`, or `none`. */
function ask(descriptors: string, answers: string, overall = "OK"): Step {
  const statuses = answers.split(" ").map((answer) => {
    if (answer === "none") return { code: "OK", limit: null };
    if (answer === "over") return { code: "OVER_LIMIT", remaining: 0 };
    return { code: "OK", remaining: Number(answer) };
  });
  const request = { domain: "d", descriptors: descriptors.split(" ").map(descriptor) };
  return { request, expect: { overall, statuses } };
}

const refused = (descriptors: string, answers: string) => ask(descriptors, answers, "OVER_LIMIT");

/** The same of a request that brings a limit along. */
function askWith(
  limit: string,
  more: { readonly remaining: number; readonly overall?: string },
): Step {
  const [requests = "", unit = ""] = limit.split("/");
  const given = { requests_per_unit: Number(requests), unit };
  const { remaining, overall = "OK" } = more;
  const request = {
    domain: "d",
    descriptors: [{ entries: [["given", "x"]] as const, limit: given }],
  };
  return { request, expect: { overall, statuses: [{ code: overall, limit: given, remaining }] } };
}

/** What else the answer to a step carries. */
function carrying(step: Step, more: Partial<Expected>): Step {
  return "request" in step ? { ...step, expect: { ...step.expect, ...more } } : step;
}

type Case = readonly [id: string, config: Config, steps: readonly Step[]];

const order = files({
  domain: "d",
  descriptors: [
    { key: "a", value: "x*z", ...perMinute(1) },
    { key: "a", value: "x*", ...perMinute(2) },
    { key: "a", value: "*z", ...perMinute(3) },
    { key: "a", value: "xyz", ...perMinute(4) },
    { key: "a", ...perMinute(5) },
    { key: "b*", value: "v*", ...perMinute(6) },
    { key: "bc", value: "v1*", ...perMinute(7) },
    { key: "bd", ...perMinute(8) },
  ],
});

const roles = files({
  domain: "d",
  descriptors: [
    { key: "must", ...perMinute(2) },
    { key: "shadow", shadow_mode: true, ...perMinute(1) },
    { key: "quota", value: "1", quota_mode: true, ...perMinute(1) },
    { key: "quota", value: "2", quota_mode: true, ...perMinute(2) },
    { key: "both", shadow_mode: true, quota_mode: true, ...perMinute(1) },
  ],
});

const levels = files({
  domain: "d",
  descriptors: [
    {
      key: "all",
      ...perMinute(4),
      descriptors: [
        {
          key: "tenant",
          ...perMinute(3, { also: "parent" }),
          descriptors: [{ key: "user", ...perMinute(2, { also: "parent" }) }],
        },
      ],
    },
  ],
});

const shares = files({
  domain: "d",
  descriptors: [
    { key: "path", value: "/a/*", share_threshold: true, ...perMinute(3) },
    {
      key: "path",
      value: "/b/*",
      share_threshold: true,
      descriptors: [{ key: "user", ...perMinute(2) }],
    },
    { key: "path", value: "/c/*", ...perMinute(2) },
  ],
});

const named = files({
  domain: "d",
  descriptors: [
    { key: "plain", ...perMinute(1, { name: "usual" }) },
    { key: "better", ...perMinute(9, { replaces: [{ name: "usual" }] }) },
    { key: "free", rate_limit: { unlimited: true, replaces: [{ name: "usual" }] } },
    { key: "left", ...perMinute(5, { name: "l", replaces: [{ name: "r" }] }) },
    { key: "right", ...perMinute(5, { name: "r", replaces: [{ name: "l" }] }) },
  ],
});

const answering: Config = {
  ...files({
    domain: "d",
    descriptors: [
      { key: "a", metadata: { tier: "gold", of: { a: 1, both: [true, null] } }, ...perMinute(9) },
      { key: "b", metadata: { tier: "lead", of: { b: 2.5 } }, ...perMinute(2) },
    ],
  }),
  env: { LIMIT_RESPONSE_HEADERS_ENABLED: "true", RESPONSE_DYNAMIC_METADATA: "true" },
};

const unbounded = { rate_limit: { unlimited: true }, metadata: { tier: "free" } };
const free = files({
  domain: "d",
  descriptors: [
    { key: "quota", quota_mode: true, ...perMinute(1) },
    { key: "free", ...unbounded },
    { key: "free-quota", quota_mode: true, ...unbounded },
    { key: "free-both", quota_mode: true, shadow_mode: true, ...unbounded },
    { key: "free-shadow", shadow_mode: true, ...unbounded },
    { key: "most", ...perMinute(1_000_000_000) },
  ],
});
/** What is unlimited is asked for beside a quota: all that it can be. */
const FREE = ["free", "free-quota", "free-both", "free-shadow"];

const withEnv = (config: Config, env: Config["env"]): Config => ({ ...config, env });

const flights = files({
  domain: "d",
  descriptors: [{ key: "job", rate_limit: { kind: "concurrency", capacity: 2, ttl: "30s" } }],
});

const CASES: readonly Case[] = [
  [
    "values of a pattern share a budget where that is said",
    shares,
    [
      ask("path=/a/1", "2"),
      ask("path=/a/2", "1"),
      ask("path=/b/1,user=u", "1"),
      ask("path=/b/2,user=u", "0"),
      ask("path=/b/2,user=v", "1"),
      ask("path=/c/1", "1"),
      ask("path=/c/2", "1"),
    ],
  ],
  [
    "a limit replaces others by their names, and so does one that is unlimited",
    named,
    [
      ask("plain=1", "0"),
      refused("plain=1", "over"),
      ask("plain=1 better=1", "none 8"),
      ask("plain=1 free=1", "none 4294967295"),
      ask("left=1 right=1", "none none"),
      ask("left=1 plain=2", "4 0"),
    ],
  ],
  [
    "a request brings a limit along, which counts by its unit",
    files({ domain: "d", descriptors: [{ key: "given", ...perMinute(1) }] }),
    [
      askWith("2/MINUTE", { remaining: 1 }),
      askWith("3/MINUTE", { remaining: 1 }),
      askWith("3/DAY", { remaining: 2 }),
      askWith("3/MINUTE", { remaining: 0 }),
      askWith("3/MINUTE", { remaining: 0, overall: "OVER_LIMIT" }),
      ask("given=x", "0"),
    ],
  ],
  [
    "answers carry headers and metadata",
    answering,
    [
      carrying(ask("a=1 b=1", "8 1"), {
        headers: { "RateLimit-Limit": "2", "RateLimit-Remaining": "1", "RateLimit-Reset": "48" },
        dynamic_metadata: {
          domain: "d",
          descriptors: [{ entries: ["a=1"] }, { entries: ["b=1"] }],
          metadata: { tier: "gold", of: { a: 1, both: [true, null], b: 2.5 } },
        },
      }),
      carrying(refused("a=1 b=1*2", "8 over"), {
        headers: { "RateLimit-Limit": "2", "RateLimit-Remaining": "0", "Retry-After": "48" },
        dynamic_metadata: { metadata: { tier: "gold", of: { a: 1, both: [true, null] } } },
      }),
    ],
  ],
  [
    "a service in shadow mode lets all pass, and says what it would have done",
    withEnv(roles, { SHADOW_MODE: "true" }),
    [ask("must=1*2", "0"), ask("must=1 must=2", "over 1"), ask("must=1 shadow=1", "over 0")],
  ],
  [
    "a service of quotas refuses where all are over",
    withEnv(roles, { QUOTA_MODE: "true" }),
    [
      ask("must=1*2", "0"),
      ask("must=1 must=2", "over 1"),
      refused("must=1", "over"),
      ask("must=1 other=1", "over none"),
    ],
  ],
  [
    "what is in flight is held until its time is over",
    flights,
    [
      ask("job=1", "1"),
      { sleep_ms: 20_000 },
      ask("job=1", "0"),
      refused("job=1", "over"),
      { sleep_ms: 10_000 },
      ask("job=1", "0"),
      refused("job=1", "over"),
    ],
  ],
  [
    "an exact value, then patterns in order, then the key",
    order,
    [
      ask("a=xyz", "3"),
      ask("a=x1z", "0"),
      ask("a=x1", "1"),
      ask("a=1z", "2"),
      ask("a=1", "4"),
      ask("bc=v1", "5"),
      ask("bc=1", "none"),
      ask("bd=w", "7"),
      ask("bd=v", "5"),
    ],
  ],
  [
    "a refused request costs nothing",
    roles,
    [
      ask("must=1*1", "1"),
      refused("must=1*2 must=2", "over 2"),
      ask("must=1 must=2", "0 1"),
      refused("must=1", "over"),
    ],
  ],
  [
    "a shadow refuses nobody, and what it would refuse costs it nothing",
    roles,
    [
      ask("must=1 shadow=1", "1 0"),
      ask("must=1 shadow=1", "0 0"),
      refused("must=1 shadow=2", "over 1"),
    ],
  ],
  [
    "any quota lets a request pass",
    roles,
    [
      ask("quota=1 quota=2", "0 1"),
      ask("quota=1 quota=2", "over 0"),
      refused("quota=1 quota=2", "over over"),
      ask("quota=1 quota=2 both=1", "over over 0"),
      ask("quota=1 both=1", "over 0"),
    ],
  ],
  [
    "what is unlimited is no quota, and has no metadata",
    withEnv(free, { RESPONSE_DYNAMIC_METADATA: "true" }),
    [
      ask("quota=1", "0"),
      ...FREE.map((key) =>
        carrying(refused(`quota=1 ${key}=1`, "over 4294967295"), {
          dynamic_metadata: { metadata: undefined },
        }),
      ),
    ],
  ],
  [
    "what is unlimited is no quota where all descriptors are",
    withEnv(free, { QUOTA_MODE: "true" }),
    [
      ask("most=1", "999999999"),
      ask("quota=1", "0"),
      ...FREE.map((key) => refused(`quota=1 ${key}=1`, "over 4294967295")),
    ],
  ],
  [
    "more hits than any limit holds are over it, and cost nothing",
    free,
    [
      refused("most=1*1000000001", "over"),
      refused("most=1*18446744073709551615", "over"),
      ask("free=1*18446744073709551615", "4294967295"),
      ask("most=1*1000000000", "0"),
    ],
  ],
  [
    "a quota does not outweigh a limit",
    roles,
    [ask("must=1*2", "0"), refused("must=1 quota=1", "over 1"), ask("quota=1", "0")],
  ],
  [
    "limits above are taken together with a limit, or not at all",
    levels,
    [
      ask("all=1,tenant=a,user=u", "1"),
      ask("all=1,tenant=a,user=u", "0"),
      refused("all=1,tenant=a,user=u", "over"),
      ask("all=1,tenant=a,user=v", "0"),
      refused("all=1,tenant=a,user=w", "over"),
      ask("all=1,tenant=b,user=u", "0"),
      refused("all=1,tenant=b,user=v", "over"),
      ask("all=2,tenant=b,user=v", "1"),
    ],
  ],
  [
    "hits are given back, and never more than were taken",
    roles,
    [
      ask("must=1*2", "0"),
      ask("must=1*-1", "1"),
      ask("must=1", "0"),
      ask("must=1*-9", "2"),
      refused("must=1*3", "over"),
    ],
  ],
  [
    "hits are given back whatever else is refused",
    roles,
    [ask("must=1*2 must=2*2", "0 0"), refused("must=1*-1 must=2", "1 over"), ask("must=1", "0")],
  ],
  [
    "0 hits ask whether one is left",
    roles,
    [ask("must=1*0", "2"), ask("must=1*2", "0"), refused("must=1*0", "over")],
  ],
];

export const OWN: Scenarios = {
  configs: Object.fromEntries(CASES.map(([id, config]) => [id, config])),
  scenarios: CASES.map(([id, , steps]): Scenario => ({ id, config: id, steps })),
};

const CHARGED: readonly Case[] = [
  [
    "refused requests are counted too",
    roles,
    [
      ask("must=1 must=2", "1 1"),
      refused("must=1*2 must=2", "over 0"),
      refused("must=1", "over"),
      refused("must=2", "over"),
      { sleep_ms: 60_000 },
      ask("must=1", "1"),
    ],
  ],
  [
    "0 hits are over only where the counter is above the limit",
    roles,
    [
      ask("must=1*2", "0"),
      ask("must=1*0", "0"),
      refused("must=1", "over"),
      refused("must=1*0", "over"),
    ],
  ],
  [
    "descriptors on one counter are counted in turn",
    roles,
    [refused("must=1 must=1 must=1", "1 0 over"), refused("must=1*0 must=1", "over over")],
  ],
  [
    "a counter that can hold no more stays over",
    roles,
    [refused("must=1*4000000000", "over"), refused("must=1*0", "over")],
  ],
  [
    "more hits than any limit holds are over it",
    free,
    [
      ask("most=1*1000000000", "0"),
      refused("most=2*1000000001", "over"),
      refused("most=3*5 most=4*1000000001", "999999995 over"),
    ],
  ],
  [
    "hits are given back to a counter",
    roles,
    [ask("must=1*2", "0"), ask("must=1*-1", "1"), ask("must=1", "0"), refused("must=1", "over")],
  ],
];

/** The same where refused requests cost what they do in envoyproxy/ratelimit. */
export const OWN_CHARGED: Scenarios = {
  configs: Object.fromEntries(CHARGED.map(([id, config]) => [id, config])),
  scenarios: CHARGED.map(([id, , steps]): Scenario => ({ id, config: id, steps })),
};
