/** Budgets of programs are kept apart from those of rules, whatever names either has. */
import { describe, expect, it } from "vitest";
import { createService, listRules } from "../../src/index.ts";
import { rulesOf } from "../support/rules.ts";

/** Domains that would look like what programs' limits are called, where they were not escaped. */
const DOMAINS = [":p:user", ":p:user/k", ":", "::", ":p", "%3Ap:user", "p:user", "/:p:user"];

const fileOf = (domain: string) => `domain: ${JSON.stringify(domain)}
descriptors:
  - { key: k, rate_limit: { unit: year, requests_per_unit: 5 } }
  - { key: all, value: all, rate_limit: { unit: year, requests_per_unit: 5 } }
`;

describe.each(DOMAINS)("rules of the domain %j", (domain) => {
  const rules = rulesOf(fileOf(domain));

  it("have names that no limit of a program can have", () => {
    for (const { name } of listRules(rules)) expect(name).not.toMatch(/^:/);
  });

  it("are not reset, blocked or spent by programs", async () => {
    const service = createService({ rules });
    const entries = [{ key: "k", value: "ann" }];
    const request = { domain, descriptors: [{ entries }], count: 3 };
    const { outcomes } = await service.limit(request);
    const limit = { kind: "fixed window", rate: 5, period: "366d", capacity: 5, start: 0 } as const;
    // What the domain is, read as a prefix and the beginning of a name; and the names that rules have.
    const [, prefix = "p", begin = ""] = /^:([^:]+):(.*)$/s.exec(domain) ?? [];
    const names = [`${begin}/k`, `${begin}/all=all`, `${domain}/k`, "user/k", `${begin}%2Fk/k`];
    const limits = names.map((name) => ({ name, limit }));
    const keys = [outcomes[0]?.key, "ann", undefined];
    const commands = names.flatMap((_, index) =>
      keys.flatMap((key) => [
        { verb: "reset" as const, budgets: [{ limit: index, key }] },
        { verb: "block" as const, budgets: [{ limit: index, key }], ms: 60_000 },
      ]),
    );
    await service.execute({ prefix, limits, commands } as Parameters<typeof service.execute>[0]);
    const { values } = await service.value(request);
    expect(values).toMatchObject([{ remaining: 2, blockedFor: 0 }]);
  });
});

it("no two domains share a name", () => {
  const names = DOMAINS.flatMap((domain) => listRules(rulesOf(fileOf(domain)))).map(
    ({ name }) => name,
  );
  expect(new Set(names).size).toBe(names.length);
});
