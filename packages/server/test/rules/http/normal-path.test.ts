/** One path has many spellings, and all of them meet the same rules. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalPath, readTarget } from "../../../src/rules/http/normal-path.ts";
import { templateOf } from "../../../src/rules/http/path-template.ts";

/** The normal path of a target, or "bad". */
function normal(target: string): string {
  const read = readTarget(target);
  return read === undefined ? "bad" : normalPath(read);
}

describe("the normal spelling of a path", () => {
  it.each([
    ["/", "/"],
    ["*", "/*"],
    ["/users/7", "/users/7"],
    ["/Items/7/", "/items/7"],
    ["/users?x=/../login", "/users"],
    ["/users#x?y", "/users"],
    ["http://shop.example/users?x", "/users"],
    ["HTTPS://shop.example", "/"],
    ["/users///7//", "/users/7"],
    ["/./users/./7/.", "/users/7"],
    ["/a/../users/7", "/users/7"],
    ["/../../users", "/users"],
    ["/a/%2e%2E/users", "/users"],
    ["/%75sers", "/users"],
    ["/users;jsessionid=1/7;x", "/users/7"],
    ["/users%3bx/7", "/users/7"],
    ["/users%2F7", "/users/7"],
    ["\\users\\7", "/users/7"],
    ["/users%5c7", "/users/7"],
    ["/a%20b", "/a%20b"],
    ["/a%2520b", "/a%2520b"],
    ["/a%3Fb%23c", "/a%3Fb%23c"],
    ["/%C3%84", "/%C3%A4"],
    ["/\xc3\x84", "/%C3%A4"],
    ["/%E2%84%AA", "/k"],
    ["/.well-known/x", "/.well-known/x"],
    ["/...", "/..."],
    ["/a".repeat(256), "/a".repeat(256)],
  ])("of %j is %s", (target, path) => expect(normal(target)).toBe(path));

  it.each([
    "",
    "/%",
    "/%zz",
    "/%4",
    "/%00",
    "/\0",
    "/a\tb",
    "/%0a",
    "/%7F",
    "/%C2%85",
    "/\xc2\x85",
    "//x/login",
    "///login",
    "/\\x/login",
    "\\\\x/login",
    "http://shop.example//x/login",
    "/%ff",
    "/\xff",
    "/%C0%AF",
    "/%ED%A0%80",
    "/;x/login",
    "/..;/login",
    "/a/.;x",
    "/a%2F../login",
    "/a/..%2flogin",
    "/a\\..\\login",
    "/a//../login",
    "/a%2Fb\\c",
    "/a".repeat(257),
    `/${"a%2F".repeat(257)}`,
  ])("of %j is none", (target) => expect(normal(target)).toBe("bad"));

  it("has both readings of an escaped slash", () => {
    expect(readTarget("/search/a%2Fb")?.readings).toEqual([
      ["search", "a", "b"],
      ["search", "a/b"],
    ]);
    expect(readTarget("/search/a\\b")?.readings).toEqual([
      ["search", "a", "b"],
      ["search", "a\\b"],
    ]);
  });

  it("keeps the query as it is", () => {
    expect(readTarget("/a?b=%2F&c#d")?.query).toBe("b=%2F&c");
    expect(readTarget("/a")?.query).toBe("");
  });
});

/** Texts that have much in common with paths. */
const TARGETS = fc
  .array(
    fc.oneof(
      fc.constantFrom("/", "\\", ".", "..", ";", "?", "#", "%", "%2e", "%2F", "%25", "%5C", "%3b"),
      fc.constantFrom("a", "B", "login", "http://h", "%C3%84", "\xc3\x84", "%CE%A3", " ", "|"),
      fc.string({ maxLength: 3 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

const SEGMENT = fc
  .stringMatching(/^[a-z0-9_~!$&'()*+,=:@-]{1,6}$/)
  .filter((segment) => segment !== "");

/** Ways to spell a segment that no server tells from its plain spelling. */
const SPELLINGS: readonly ((segment: string) => string)[] = [
  (segment) => segment.toUpperCase(),
  (segment) => `${segment};x=1`,
  (segment) => `/${segment}`,
  (segment) => `./${segment}`,
  (segment) => `%2e/${segment}`,
  (segment) => [...segment].map((one) => `%${one.charCodeAt(0).toString(16)}`).join(""),
  (segment) => segment.replace(/^./, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`),
];

describe("every path", () => {
  it("has a normal spelling that is its own", () => {
    fc.assert(
      fc.property(TARGETS, (target) => {
        const once = readTarget(target);
        if (once === undefined) return;
        const path = normalPath(once);
        expect(readTarget(path)?.readings).toEqual([once.readings[0]]);
        expect(normal(path)).toBe(path);
        expect(path).toMatch(/^\/[\x21-\x7e]*$/);
      }),
      { numRuns: 3000 },
    );
  });

  it("is met in every spelling", () => {
    const spelled = fc.record({
      segments: fc.array(SEGMENT, { minLength: 1, maxLength: 4 }),
      ways: fc.array(fc.array(fc.nat(SPELLINGS.length - 1), { maxLength: 2 }), { maxLength: 4 }),
      end: fc.constantFrom("", "/", "//", "?x=1", "#x", "/.", "/?x"),
      start: fc.constantFrom("/", "http://h.example/", "/x/../", "/%78/%2e%2E/", "/./"),
    });
    fc.assert(
      fc.property(spelled, ({ segments, ways, start, end }) => {
        const parts = segments.map((segment, index) => spelledBy(segment, ways[index] ?? []));
        const target = start + parts.join("/") + end;
        const gaps = /x\/\.\.|%78/.test(start) && /\/\//.test(target.replace("http://", ""));
        // What follows two slashes at the beginning is a host for some servers.
        const isHost = /^(?:http:\/\/h\.example)?\/\//.test(target);
        if (gaps || isHost) expect(["bad", `/${segments.join("/")}`]).toContain(normal(target));
        else expect([target, normal(target)]).toEqual([target, `/${segments.join("/")}`]);
      }),
      { numRuns: 3000 },
    );
  });
});

/** Spells a segment in one way, and what that gives in another, where it is still one segment. */
function spelledBy(segment: string, [first, second]: readonly number[]): string {
  const once = first === undefined ? segment : (SPELLINGS[first]?.(segment) ?? segment);
  const isPlain = /^[^%/;]*$/.test(once);
  return isPlain && second !== undefined ? (SPELLINGS[second]?.(once) ?? once) : once;
}

describe("a template", () => {
  it.each([
    ["/", []],
    ["/users/{id}", ["users", undefined]],
    ["/Items/{id}/", ["items", undefined]],
    ["/a%20b", ["a b"]],
    ["/größe", ["grösse"]],
    ["/.well-known", [".well-known"]],
  ])("%s has its segments", (text, segments) =>
    expect(templateOf(text)?.segments).toEqual(segments),
  );

  it.each([
    "",
    "users",
    "/a//b",
    "/{}",
    "/{id}.json",
    "/a*",
    "/a;b",
    "/a?b",
    "/a#b",
    "/..",
    "/%zz",
  ])("%j is none", (text) => expect(templateOf(text)).toBeUndefined());
});
