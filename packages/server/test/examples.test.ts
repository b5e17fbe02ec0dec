import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { listRules, parseRules } from "../src/index.ts";

it("examples/rules.yaml says what it says it does", () => {
  const file = new URL("../../../examples/rules.yaml", import.meta.url);
  const rules = parseRules([{ name: "rules.yaml", text: readFileSync(file, "utf8") }]);
  expect(listRules(rules).map(({ name, limit }) => [name, limit])).toMatchObject([
    ["example/auth_type=login/user", { kind: "fixed window", rate: 5, period: 60_000 }],
    ["example/message_type=marketing/user", { kind: "fixed window", rate: 5, period: 86_400_000 }],
    ["example/account=create/remote_address", { rate: 5, period: 86_400_000 }],
    ["example/post=create/user", { kind: "sliding log", rate: 5, period: 3_600_000 }],
    ["example/remote_address", { kind: "token bucket", rate: 10, period: 1_000, capacity: 50 }],
    ["example/report", { kind: "concurrency", capacity: 3, ttl: "30s" }],
  ]);
});
