import { expect, test } from "vitest";
import { minified, tokensOf } from "../embed/lua.ts";
import { embedded, luaProgram, present } from "../embed.ts";

test.each(await embedded())("what is embedded is what the files say: npm run embed", (one) => {
  expect(present(one)).toBe(one.text);
});

test("the script that is sent is the program of the Lua files: its variables have other names, one each", () => {
  const program = luaProgram();
  const [before, after] = [tokensOf(program), tokensOf(minified(program))];
  expect(after.map(({ isLocal }) => isLocal)).toEqual(before.map(({ isLocal }) => isLocal));
  const names = new Map<string, string>();
  for (const [at, { text, isLocal }] of before.entries()) {
    const now = after[at]?.text as string;
    if (isLocal) names.set(text, names.get(text) ?? now);
    expect(now).toBe(isLocal ? names.get(text) : text);
  }
  expect(new Set(names.values()).size).toBe(names.size);
  expect(minified(program).length).toBeLessThan(program.length * 0.55);
});

test.each([
  ["for b, c in a do local d = b(c) end", "for b,c in a do local d=b(c)end"],
  ["local one = { one = 1 }\nreturn one.one", "local a={one=1}\nreturn a.one"],
  ['local text = "local text"', 'local a="local text"'],
  ["local f = { f = function(f) f = 1 end, g = f }", "local a={f=function(a)a=1 end,g=a}"],
  ["local n = 2 return tonumber(ARGV[1]) .. 1 ..n", "local a=2 return tonumber(ARGV[1])..1 ..a"],
])("short names are given to variables alone: %s", (source, short) => {
  expect(minified(source)).toBe(short);
});
