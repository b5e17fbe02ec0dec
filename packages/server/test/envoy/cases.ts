/** The project's own scenarios: what rules mean, in requests and answers. */
import type { Config, Scenario, Scenarios, Step } from "./scenario.ts";

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

const CASES: readonly Case[] = [
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
