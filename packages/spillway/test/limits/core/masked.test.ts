/** What looks like a secret, or says who somebody is, is hidden; what a developer has to see is not. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { display, masked, SpillwayError, shownReason } from "../../../src/limits/core/index.ts";

describe("a text", () => {
  test.each([
    ["redis://:s3cret@one:6379/0", "redis://***@one:6379/0"],
    ["redis://s3cret@[::1]:6379", "redis://***@[::1]:6379"],
    ["redis://ann:s3/c@r:et@one/0", "redis://***@one/0"],
    ["redis://ann:s3cret", "redis://ann:***"],
    ["redis://:my secret@one", "redis://***@one"],
    ["postgres://one/app?password=s3cret", "postgres://one/app?***"],
    ["https://one/a#s3cret", "https://one/a#***"],
    ["connect to redis://:s3cret@one:1 and wait", "connect to redis://***@one:1 and wait"],
    ["ann:s3cret@one", "***@one"],
    ["ada@example.com", "***@example.com"],
    ["of ada@example.com, bob@example.com", "of ***@example.com, ***@example.com"],
    ["host=one password=s3cret dbname=app", "host=one password=***"],
    ["{'clientSecret': 's3cret'}", "{'clientSecret': ***"],
    ["x-api-key: s3cret", "x-api-key: ***"],
    ["Authorization: Basic s3cret", "Authorization: ***"],
    ["bearer s3cret", "bearer ***"],
    [
      "ERR unknown command 'HELLO', with args beginning with: '3' 'AUTH' 'ann' 's3cret' ",
      "ERR unknown command 'HELLO', with args beginning with: ***",
    ],
    [
      "ERR unknown command `evalsha`, with args beginning with: `0a`, `1`, `spillway:{6=user:7}:a`, ",
      "ERR unknown command `evalsha`, with args beginning with: ***",
    ],
    ["k3Jx9QmZ2vB7tR1nL5wY8pD4", "k3Jx***"],
    ["0123456789abcdef0123456789abcdef", "0123***"],
    ["8f14e45f-ceea-467f-a0e6-1b2c3d4e5f60", "8f14***"],
  ])("%s is shown as %s", (text, shown) => {
    expect(masked(text)).toBe(shown);
    expect(masked(shown)).toBe(shown);
  });

  test.each([
    "",
    "sendMesage",
    "sliding-window",
    "failedLoginsPerHour2024",
    "a_limit_with_a_rather_long_name_2",
    "user:7",
    "10.0.0.0/33",
    "redis://127.0.0.1:6379",
    "redis+cluster://one:6379,two:6379",
    "http://[::1]:8080/path/of/it",
    "connect ECONNREFUSED 127.0.0.1:6379",
    "getaddrinfo ENOTFOUND ip-10-0-0-1.eu-west-1.compute.internal",
    'password authentication failed for user "ann"',
    "function spillway.decide_v3(text[], bigint) does not exist",
    "the key is too long",
    "Grüße, 日本語: 12",
  ])("%s is shown as it is", (text) => {
    expect(masked(text)).toBe(text);
    expect(masked(`${text} ${"x".repeat(1000)}`)).toBe(`${text} ${"x".repeat(1000)}`);
  });

  test("a password is hidden, whatever characters are in it", () => {
    const password = fc.string({ unit: "binary", minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(password, (text) => {
        const secret = `<${text}>`;
        expect(masked(`redis://:${secret}@one`)).not.toContain(secret);
        expect(display(`host=one password=${secret}`)).not.toContain(secret);
        expect(display(`Bearer ${secret}`)).not.toContain(secret);
      }),
    );
  });
});

describe("a cause", () => {
  const driver = Object.assign(new TypeError("AUTH failed for redis://:s3cret@one"), {
    code: "WRONGPASS",
    command: { name: "auth", args: ["s3cret"] },
    config: { password: "s3cret" },
  });
  driver.cause = new Error("s3cret");
  const problem = { code: "queue-failed", expected: "an answer" } as const;

  test("has its name, its code, its message and its place, and nothing else", () => {
    const cause = new SpillwayError({ ...problem, cause: driver }).cause as typeof driver;
    expect(cause).toMatchObject({
      name: "TypeError",
      code: "WRONGPASS",
      message: "AUTH failed for redis://***@one",
    });
    expect(cause.stack).toContain("masked.test.ts");
    expect(cause.stack).not.toContain("s3cret");
    expect(Reflect.ownKeys(cause).sort()).toEqual(["code", "message", "name", "stack"]);
  });

  test.each([
    [undefined, undefined],
    [new SpillwayError(problem), "an answer"],
    ["redis://:s3cret@one", "redis://***@one"],
    [{ password: "s3cret" }, "an object"],
    [null, "null"],
    [Object.assign(new Error(), { stack: undefined }), ""],
  ])("of %o is %s", (cause, message) => {
    const error = new SpillwayError({ ...problem, cause });
    expect((error.cause as Error | undefined)?.message).toBe(message);
    expect("cause" in error).toBe(cause !== undefined);
  });

  test("is told on one line, and cut", () => {
    expect(shownReason(new Error(`a\n${"x ".repeat(500)}`))).toMatch(
      /^a\\n.{198}… \(1002 characters\)$/,
    );
  });
});

test("an error keeps what its message shows, and of what is private the shape", () => {
  const keptOf = (value: unknown, isPrivate = false) =>
    new SpillwayError({ code: "bad-option", field: "x", value, isPrivate, expected: "y" }).value;
  const same = [5, Number.NaN, 5n, true, null, undefined];
  expect(same.map((value) => keptOf(value))).toEqual(same);
  expect(["a", "redis://:s3cret@one", {}, [], [1], () => 1].map((value) => keptOf(value))).toEqual([
    "a",
    "redis://***@one",
    "an object",
    "an empty array",
    "an array",
    "a function",
  ]);
  const shapes = ["abc", 5, null, {}, Symbol("s")].map((value) => keptOf(value, true));
  expect(shapes).toEqual(["a text of 3 characters", "a number", "null", "an object", "a symbol"]);
});
