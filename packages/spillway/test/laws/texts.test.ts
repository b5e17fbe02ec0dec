/**
 * What strangers write is read in a time that grows with its length alone: the steps that run are counted, and
 * no text of any length is handed to an expression, whose steps can't be.
 */
import { afterEach, describe, expect, test, vi } from "vitest";
import { readAdvice } from "../../src/client/index.ts";
import { limitProblem } from "../../src/http/advice/problem.ts";
import { clientAddress, joinKey, problemBody, problemOf } from "../../src/http/headers/index.ts";
import { readCookie } from "../../src/http/visitors/cookies.ts";
import { ProofOfWork, Visitors } from "../../src/http/visitors/index.ts";
import { RateLimiter } from "../../src/index.ts";
import { display, printable } from "../../src/limits/core/index.ts";
import { attempt, stepCounter } from "./steps.ts";

const stepsOf = stepCounter();
afterEach(() => {
  vi.restoreAllMocks();
});

/** Who reads each text again from each of its places takes 4000 steps for a character. */
const LENGTH = 8000;
/** What an expression may be handed, in characters: what it costs then is bounded. */
const MOST_FOR_EXPRESSION = 256;
/** Steps for a character, on average. */
const MOST_STEPS = 10;
/** Texts of which the steps are counted together: counting takes a while. */
const TOGETHER = 100;

const HEADERS = ["retry-after", "retry-after-ms", "date", "age", "ratelimit", "ratelimit-policy"];
const MORE_HEADERS = [
  "limit",
  "remaining",
  "reset",
  "resource",
  "remaining-tokens",
  "reset-tokens",
];
const ALL = [...HEADERS, ...MORE_HEADERS.map((field) => `x-ratelimit-${field}`)];

const quiet = { warn: () => {} };
const from = ["10.0.0.0/8"];
const peer = (value: string) => ({ address: "10.0.0.1", header: () => value });
const REFUSED = problemOf({ reason: "limited", retryAfter: 1, policies: [] });

const limiter = new RateLimiter({ ids: { kind: "token bucket", rate: 9, period: "1m" } });
const keys = [{ id: "key", secret: "s".repeat(32) }];
const visitors = new Visitors(limiter, { keys, newIds: "ids" });
const work = new ProofOfWork(limiter, { keys });

const [own, hops] = [clientAddress(quiet), clientAddress({ ...quiet, trust: 3 })];

type Reader = (text: string) => unknown;

const READERS: readonly (readonly [of: string, read: Reader])[] = [
  ...["Forwarded", "X-Forwarded-For", "CF-Connecting-IP"].map((header) => {
    const find = clientAddress({ ...quiet, trust: { header, from } });
    return [header, (text: string) => find(peer(text))] as const;
  }),
  ["X-Forwarded-For, by hops", (text) => hops(peer(text))],
  ["an address", (text) => own({ ...peer(""), address: text })],
  ["Accept", (text) => problemBody(REFUSED, text)],
  ["parts of a key", (text) => joinKey([text, 7])],
  ...HEADERS.map(
    (name) => [`an answer's ${name}`, (text: string) => readAdvice(only([name], text), 0)] as const,
  ),
  ["all headers of an answer", (text) => readAdvice(only(ALL, text.slice(0, 1000)), 0)],
  ["a problem document", (text) => limitProblem(text)],
  ["a problem's type", (text) => limitProblem(JSON.stringify({ type: text }))],
  ["Cookie", (text) => readCookie(text, "__Host-visitor")],
  [
    "a visitor's cookie",
    (text) => visitors.enter({ cookie: `__Host-visitor=${text}`, address: "::1" }),
  ],
  ["a visitor's address", (text) => visitors.enter({ cookie: "", address: text })],
  ["a solution", (text) => work.verify(text, { address: "192.0.2.1" })],
  ["a value in a message", (text) => display(text)],
  ["a text in a message", (text) => printable(text)],
];

function only(names: readonly string[], value: string) {
  return { get: (name: string) => (names.includes(name) ? value : null) };
}

/** What is begun and never ended, ended and begun again, or might be read from each place anew. */
const STARTS = ["", 'for="', "a=", "a;b=", "__Host-visitor=", "redis://"];
const REPEATED = [
  ...['"\\', '"', "\\", '\\"', 'a="b";', "a=b;", "a=b,", "for=1,", 'for="\\1",', '"a";r=1,'],
  ...[
    ",",
    ";",
    "=",
    " ",
    ":",
    ":1",
    "1",
    "1,",
    ".",
    "%",
    "[",
    "/1",
    "|",
    "@",
    "://",
    "é",
    "\ud800",
  ],
];
const ENDS = ["", '"', "!"];

const TEXTS = STARTS.flatMap((start) =>
  REPEATED.flatMap((piece) => {
    const middle = piece.repeat(LENGTH / piece.length);
    return ENDS.map((end) => start + middle + end);
  }),
);

/** The longest text that any expression was handed meanwhile. */
function longestForExpressions(call: () => unknown): number {
  let longest = 0;
  const exec = RegExp.prototype.exec;
  vi.spyOn(RegExp.prototype, "exec").mockImplementation(function (this: RegExp, text: string) {
    longest = Math.max(longest, text.length);
    return exec.call(this, text);
  });
  attempt(call);
  vi.restoreAllMocks();
  return longest;
}

describe.each(READERS)("%s", (_, read) => {
  test("is read in steps that grow with its length, whatever it says", async () => {
    for (let first = 0; first < TEXTS.length; first += TOGETHER) {
      const some = TEXTS.slice(first, first + TOGETHER);
      const steps = await stepsOf(() => some.forEach((text) => void attempt(() => read(text))));
      expect(steps).toBeLessThan(MOST_STEPS * LENGTH * some.length);
    }
  });

  test("is handed to no expression where it is long", () => {
    for (const text of TEXTS) {
      const longest = longestForExpressions(() => read(text));
      expect(longest, text.slice(0, 20)).toBeLessThanOrEqual(MOST_FOR_EXPRESSION);
    }
  });
});
