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
  expect(minified(program).length).toBeLessThan(program.length * 0.55);
});

test.each(["main", "register"])(
  "in the script of %s, each use is of the same variable",
  (script) => {
    const program = luaProgram(script);
    expect(bindings(minified(program))).toEqual(bindings(program));
  },
);

test.each([
  ["do local x = 1 f(x) end do local y = 1 f(y) end", "do local a=1 f(a)end do local a=1 f(a)end"],
  ["local x = 1 do local y = x end", "local a=1 do local b=a end"],
  ["local x = function(y) return y end", "local b=function(a)return a end"],
  ["for x = 1, 2 do end for y = 1, 2 do end", "for a=1,2 do end for a=1,2 do end"],
  ["if c then local x = 1 else local y = 1 end", "if c then local a=1 else local a=1 end"],
  ["local function x() end local y", "local function a()end local b"],
])("variables of which none sees the other may share a name: %s", (source, short) => {
  expect(minified(source)).toBe(short);
});

/** For each name in a program, the token that declares its variable: the innermost that is in scope. */
function bindings(source: string): readonly (number | undefined)[] {
  const tokens = tokensOf(source).filter(({ text }) => text !== "\n");
  const texts = tokens.map(({ text }) => text);
  const blocks: Map<string, number>[] = [new Map()];
  let isDeclared = false;
  return tokens.map(({ text, isLocal }, at) => {
    const isParameter =
      text === "(" && (texts[at - 1] === "function" || /function$/.test(headOf(texts, at)));
    if (isParameter || text === "for") blocks.push(new Map());
    if (text === "then" || text === "else" || (text === "do" && !isOfFor(texts, at))) {
      if (text === "else") blocks.pop();
      blocks.push(new Map());
    }
    if (text === "end" || text === "elseif") blocks.pop();
    if (text === "local" || text === "for" || isParameter) isDeclared = true;
    else if (!isLocal && text !== "," && text !== "function") isDeclared = false;
    if (isLocal && isDeclared) blocks.at(-1)?.set(text, at);
    return isLocal ? blocks.findLast((block) => block.has(text))?.get(text) : undefined;
  });
}

/** What comes before the name of a function whose bracket is at a place. */
function headOf(texts: readonly string[], at: number): string {
  return texts[at - 2] === "." ? (texts[at - 4] ?? "") : (texts[at - 2] ?? "");
}

/** Whether a `do` belongs to a `for`: no other block begins between them. */
function isOfFor(texts: readonly string[], at: number): boolean {
  const before = texts
    .slice(0, at)
    .findLastIndex((text) => /^(for|while|do|then|else|end)$/.test(text));
  return texts[before] === "for";
}

test.each([
  ["for b, c in a do local d = b(c) end", "for b,c in a do local d=b(c)end"],
  ["local one = { one = 1 }\nreturn one.one", "local a={one=1}\nreturn a.one"],
  ['local text = "local text"', 'local a="local text"'],
  ["local f = { f = function(f) f = 1 end, g = f }", "local a={f=function(a)a=1 end,g=a}"],
  ["local n = 2 return tonumber(ARGV[1]) .. 1 ..n", "local a=2 return tonumber(ARGV[1])..1 ..a"],
])("short names are given to variables alone: %s", (source, short) => {
  expect(minified(source)).toBe(short);
});
