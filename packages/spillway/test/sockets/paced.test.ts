/** Streams keep to their pace: nothing is lost, reordered or read ahead. */
import { once } from "node:events";
import { PassThrough, Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RateLimiter } from "../../src/limiter/index.ts";
import { type PacedOptions, paced } from "../../src/sockets/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { VirtualScheduler } from "../client/virtual-scheduler.ts";
import { runs } from "../runs.ts";

const KINDS = ["token bucket", "fixed window", "sliding window", "sliding log"] as const;

/** A limit of ten units a second, on virtual time. */
function tenPerSecond(kind: (typeof KINDS)[number] = "token bucket") {
  const scheduler = new VirtualScheduler();
  const store = memoryStore({ clock: scheduler.clock });
  const limiter = new RateLimiter({ pace: { kind, rate: 10, period: "1s" } }, { store });
  return { scheduler, limiter };
}

/** All that comes, and when. */
async function read<T>(pieces: AsyncIterable<T>, elapsed: () => number) {
  const read: { readonly piece: T; readonly at: number }[] = [];
  for await (const piece of pieces) read.push({ piece, at: elapsed() });
  return read;
}

/** Moves time on until a promise is settled. */
async function finished<T>(promise: Promise<T>, scheduler: VirtualScheduler): Promise<T> {
  let isSettled = false;
  const settle = () => {
    isSettled = true;
  };
  promise.then(settle, settle);
  while (!isSettled) {
    // Streams of Node go on in turns of the event loop, which virtual time does not wait for.
    await new Promise((resolve) => setImmediate(resolve));
    await scheduler.advance(50);
  }
  return promise;
}

const bytes = (...values: number[]) => Uint8Array.from(values);
const total = (pieces: readonly { readonly piece: Uint8Array }[]) =>
  Buffer.concat(pieces.map(({ piece }) => piece));

describe.each(KINDS)("a %s", (kind) => {
  test("never lets more through than it admits, and all of it, in order", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 8 }),
        async (chunks) => {
          const { scheduler, limiter } = tenPerSecond(kind);
          const options = { limit: "pace", scheduler } as const;
          const reading = read(paced(chunks, limiter, options), scheduler.elapsed);
          const pieces = await finished(reading, scheduler);
          expect(total(pieces)).toEqual(Buffer.concat(chunks));
          for (const { at } of pieces) {
            const second = pieces.filter((each) => each.at > at - 1000 && each.at <= at);
            // A window or bucket may give its capacity twice in one period, around its end.
            expect(total(second).length).toBeLessThanOrEqual(kind === "sliding log" ? 10 : 20);
          }
        },
      ),
      { numRuns: runs(20) },
    );
  });
});

test("a bucket of ten a second gives ten at once, and then ten in each second", async () => {
  const { scheduler, limiter } = tenPerSecond();
  const source = paced([new Uint8Array(35)], limiter, { limit: "pace", scheduler });
  const pieces = await scheduler.until(read(source, scheduler.elapsed));
  expect(pieces.map(({ piece, at }) => [piece.length, at])).toEqual([
    [10, 0],
    [10, 1000],
    [10, 2000],
    [5, 2500],
  ]);
});

test("a leaky bucket spaces events evenly", async () => {
  const scheduler = new VirtualScheduler();
  const store = memoryStore({ clock: scheduler.clock });
  const limit = { kind: "leaky bucket", rate: 2, period: "1s", capacity: 5 } as const;
  const limiter = new RateLimiter({ limit }, { store });
  const source = paced(["a", "b", "c"], limiter, { limit: "limit", of: "events", scheduler });
  const pieces = await scheduler.until(read(source, scheduler.elapsed));
  expect(pieces).toEqual([
    { piece: "a", at: 0 },
    { piece: "b", at: 500 },
    { piece: "c", at: 1000 },
  ]);
});

test("events of any value go through, undefined included", async () => {
  const { scheduler, limiter } = tenPerSecond();
  const source = paced([undefined, null, "", 0], limiter, {
    limit: "pace",
    of: "events",
    scheduler,
  });
  const pieces = await scheduler.until(read(source, scheduler.elapsed));
  expect(pieces.map(({ piece }) => piece)).toEqual([undefined, null, "", 0]);
});

test("while it waits it reads nothing, from web streams and from Node's", async () => {
  const { scheduler, limiter } = tenPerSecond();
  let pulls = 0;
  const web = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        pulls++;
        controller.enqueue(new Uint8Array(10));
      },
    },
    { highWaterMark: 0 },
  );
  const reader = paced(web, limiter, { limit: "pace", scheduler }).getReader();
  await reader.read();
  const second = reader.read();
  await scheduler.advance(500);
  expect(pulls).toBe(2);
  await scheduler.advance(500);
  expect((await second).value).toHaveLength(10);
  expect(pulls).toBe(2);
  await reader.cancel();
});

test("Readable to Writable by pipeline, whole, and at the pace", async () => {
  const { scheduler, limiter } = tenPerSecond();
  const written: Buffer[] = [];
  const sink = new Writable({
    write(chunk, _, done) {
      written.push(chunk);
      done();
    },
  });
  const source = Readable.from([Buffer.from("hello, "), Buffer.from("and a good day")], {
    objectMode: false,
  });
  await finished(pipeline(paced(source, limiter, { limit: "pace", scheduler }), sink), scheduler);
  expect(Buffer.concat(written).toString()).toBe("hello, and a good day");
  expect(scheduler.elapsed()).toBeGreaterThanOrEqual(1100);
});

test("a reader that is destroyed stops a Readable that is made of it, and its source, while it waits", async () => {
  const { scheduler, limiter } = tenPerSecond();
  const source = new Readable({ read() {} });
  source.push(Buffer.alloc(20));
  const pieces = Readable.from(paced(source, limiter, { limit: "pace", scheduler }));
  const reader = new PassThrough();
  const piped = pipeline(pieces, reader);
  await once(reader, "readable");
  reader.destroy();
  await expect(piped).rejects.toMatchObject({ code: "ERR_STREAM_PREMATURE_CLOSE" });
  expect(source.destroyed).toBe(true);
  expect(scheduler.elapsed()).toBe(0);
});

test("errors of the source pass through after what came before them", async () => {
  const { scheduler, limiter } = tenPerSecond();
  async function* source() {
    yield bytes(1);
    throw new Error("torn");
  }
  const pieces = paced(source(), limiter, { limit: "pace", scheduler });
  expect((await pieces.next()).value).toEqual(bytes(1));
  await expect(pieces.next()).rejects.toThrow("torn");
  expect(await pieces.next()).toEqual({ done: true, value: undefined });
});

test("a signal ends it at once: while it waits for units, for the source, for a reader, and before it begins", async () => {
  const { scheduler, limiter } = tenPerSecond();
  const reason = new Error("gone");
  const start = (source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) => {
    const controller = new AbortController();
    const options = { limit: "pace", scheduler, signal: controller.signal } as const;
    return { pieces: paced(source, limiter, options), abort: () => controller.abort(reason) };
  };
  const waiting = start([new Uint8Array(20)]);
  await waiting.pieces.next();
  const next = waiting.pieces.next();
  await scheduler.advance(1);
  waiting.abort();
  await expect(next).rejects.toBe(reason);
  expect(await waiting.pieces.next()).toMatchObject({ done: true });

  const silent = new Readable({ read() {} });
  const hanging = start(silent);
  const never = hanging.pieces.next();
  await scheduler.advance(1);
  hanging.abort();
  await expect(never).rejects.toBe(reason);
  expect(silent.destroyed).toBe(true);

  const idle = new Readable({ read() {} });
  start(idle).abort();
  expect(idle.destroyed).toBe(true);

  const aborted = AbortSignal.abort(reason);
  const early = paced([bytes(1)], limiter, { limit: "pace", scheduler, signal: aborted });
  await expect(early.next()).rejects.toBe(reason);
});

test("who stops reading stops the source, though it waits", async () => {
  const { scheduler, limiter } = tenPerSecond();
  const source = new Readable({ read() {} });
  source.push(Buffer.alloc(20));
  const pieces = paced(source, limiter, { limit: "pace", scheduler });
  await pieces.next();
  const next = pieces.next();
  await pieces.return?.();
  expect(await next).toEqual({ done: true, value: undefined });
  expect(source.destroyed).toBe(true);
});

test.for([
  ["return", { return: () => fail() }],
  ["an asynchronous return", { return: async () => fail() }],
  ["destroy", { destroy: () => fail(), return: () => ({ done: true }) }],
])("a source whose %s throws does not throw at whoever breaks it off", async ([_, methods]) => {
  const { scheduler, limiter } = tenPerSecond();
  const iterator = {
    next: () => ({ value: Buffer.alloc(20), done: false }),
    ...(methods as object),
  };
  const source = { [Symbol.iterator]: () => iterator, ...(methods as object) };
  const gone = new AbortController();
  const options = { limit: "pace", scheduler, signal: gone.signal } as const;
  const pieces = paced(source as unknown as Iterable<Buffer>, limiter, options);
  await pieces.next();
  const next = pieces.next();
  gone.abort(new Error("gone"));
  await expect(next).rejects.toThrow("gone");
});

function fail(): never {
  throw new Error("the cursor is closed already");
}

test("who cancels a web stream says why to the source", async () => {
  const { scheduler, limiter } = tenPerSecond();
  const reasons: unknown[] = [];
  const source = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(5)),
    cancel: (reason) => void reasons.push(reason),
  });
  const reader = paced(source, limiter, { limit: "pace", scheduler }).getReader();
  await reader.read();
  await reader.cancel("enough");
  expect(reasons).toEqual(["enough"]);
});

test("a wait that is too long fails with the decision, at once", async () => {
  const { scheduler, limiter } = tenPerSecond();
  const pieces = paced([new Uint8Array(20)], limiter, { limit: "pace", wait: 500, scheduler });
  await pieces.next();
  await expect(pieces.next()).rejects.toMatchObject({
    code: "limited",
    decision: { retryAfter: 1000 },
  });
});

test("a limit that holds nothing fails at once", async () => {
  const limiter = new RateLimiter({
    none: { kind: "token bucket", rate: 1, period: "1s", capacity: 0 },
  });
  await expect(paced([bytes(1)], limiter, { limit: "none" }).next()).rejects.toMatchObject({
    code: "limited",
    decision: { reason: "too large" },
  });
});

test.each<[string, unknown, unknown]>([
  ["bad-option", "text", { limit: "pace" }],
  ["bad-option", 5, { limit: "pace" }],
  ["unknown-limit", [], { limit: "page" }],
  ["wrong-kind", [], { limit: "leases" }],
  ["unknown-field", [], { limit: "pace", rate: 5 }],
  ["bad-option", [], { limit: "pace", of: "bits" }],
  ["bad-option", [], { limit: "pace", signal: {} }],
  ["bad-wait", [], { limit: "pace", wait: -1 }],
])("%s for %j with %j", (code, source, options) => {
  const limiter = new RateLimiter({
    pace: { kind: "token bucket", rate: 10, period: "1s" },
    leases: { kind: "concurrency", capacity: 1, ttl: "1m" },
  });
  const make = () => paced(source as Iterable<string>, limiter, options as PacedOptions<never>);
  expect(make).toThrow(expect.objectContaining({ code }));
});

test("text in a stream of bytes is an error that says so", async () => {
  const { limiter } = tenPerSecond();
  const next = paced(["text"], limiter, { limit: "pace" }).next();
  await expect(next).rejects.toMatchObject({
    code: "bad-option",
    field: "source",
    value: "a text of 4 characters",
  });
});
