/** Classes of user agents by patterns, beside those by texts. */
import { expect, it } from "vitest";
import { classifier, normalRequest } from "../../../src/index.ts";
import { problemsOf, rulesOf } from "../../support/rules.ts";

const rulesWith = (classes: string) => `
domain: shop
http: [{ actions: [{ user_agent: { classes: [${classes}] } }] }]
`;

const OLD = '{ name: old, safe_regex: { regex: ".*firefox/[1-9][0-9]?([^0-9].*)?" } }';
const BOT = "{ name: bot, contains: [Bot] }";

it.each([
  ["Mozilla/5.0 Firefox/99.1", "old"],
  ["FIREFOX/9", "old"],
  ["Firefox/120", undefined],
  ["a Firefox/120 bot", "bot"],
  ["Firefox/99 bot", "old"],
  [undefined, undefined],
])("%s is of the class %s", async (agent, expected) => {
  const items = rulesOf(rulesWith(`${OLD}, ${BOT}`)).http.get("shop") ?? [];
  const header = (name: string) => (name === "user-agent" ? agent : undefined);
  const head = { method: "GET", target: "/", host: "h", header, address: () => "192.0.2.1" };
  const request = normalRequest(head);
  if (request === undefined) throw new Error("a bad request");
  const [found] = await classifier()(items, request);
  expect(found?.entries[0]?.value).toBe(expected);
});

it.each([
  ["both", '{ name: a, contains: [b], safe_regex: { regex: "c" } }', "beside safe_regex"],
  ["none", "{ name: a }", "no contains"],
  ["a pattern that is refused", '{ name: a, safe_regex: { regex: "^a" } }', "the pattern"],
])("%s is a mistake, told once", (_, text, found) => {
  const problems = problemsOf(rulesWith(text));
  expect(problems.map((one) => one.found)).toEqual([expect.stringContaining(found)]);
});
