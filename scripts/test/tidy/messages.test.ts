/** The list of what library and service say to people. */
import { expect, test } from "vitest";
import { listMessages, messagesIn } from "../../tidy/messages.ts";
import { type Files, SRC } from "./findings.ts";

const messages = (source: string) =>
  messagesIn(new Map([[`${SRC}/limiter/key.ts`, source]])).map(({ sort, text }) => [sort, text]);

test.each([
  ['throw new TypeError("a key is missing");', "error", "a key is missing"],
  [
    `throw new SpillwayError({ expected: \`at most \${most} units\` });`,
    "error",
    `at most \${most} units`,
  ],
  ['const problem = { hint: "leave it out" };', "error", "leave it out"],
  ['settings.warn("the store is slow");', "warning", "the store is slow"],
  [`log.info(\`worker \${n} serves again\`);`, "log", `worker \${n} serves again`],
  ['const reasonOf = () => "it is too late";', "text", "it is too late"],
])("%s is one of them", (source, sort, text) => {
  expect(messages(source)).toEqual([[sort, text]]);
});

test.each([
  'import x from "./some thing.ts";',
  'throw new Error("bad-key");',
  'type Kind = "token bucket";',
  'run("select now from places");',
  "// It is a comment.",
])("%s is none", (source) => {
  expect(messages(source)).toEqual([]);
});

test("they are listed with their places, without tests and what is generated", () => {
  const files: Files = {
    [`${SRC}/limiter/key.ts`]: '\nthrow new Error("a key is missing");',
    [`${SRC}/testing/cases.ts`]: 'throw new Error("a case has failed");',
    [`${SRC}/stores/lua.generated.ts`]: 'export const LUA = "local x = 1";',
    "packages/server/src/rules/read.ts": 'log.debug("it is read");',
  };
  expect(listMessages(new Map(Object.entries(files)))).toBe(
    `${SRC}/limiter/key.ts:2  error  a key is missing\n` +
      "packages/server/src/rules/read.ts:1  log  it is read",
  );
});
