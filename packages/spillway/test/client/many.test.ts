/** Many who wait at once: one listener for a signal, and turns of the event loop that end. */
import { expect, test } from "vitest";
import { type LimitedFetchOptions, limitedFetch } from "../../src/client/index.ts";
import type { Scheduler } from "../../src/limits/core/index.ts";
import { VirtualScheduler } from "./virtual-scheduler.ts";

const MANY = 2000;
/** Of so many who wait, no more are dealt with in one turn. */
const MOST_IN_TURN = 250;
const URL = "http://api.example/";

/** A client of a host that is held for ten seconds, whose turns of the event loop are taken one by one. */
async function held(options: LimitedFetchOptions = {}, answer = async () => new Response("ok")) {
  const time = new VirtualScheduler();
  const turns: (() => void)[] = [];
  const scheduler: Scheduler = {
    elapsed: time.elapsed,
    alarm: time.alarm,
    afterDelay: time.afterDelay,
    afterTurn: (call) => void turns.push(call),
  };
  const sent: string[] = [];
  let isHeld = false;
  const used = { "X-RateLimit-Limit": "10000", "X-RateLimit-Remaining": "0" };
  const network = async (url: string, _init?: RequestInit) => {
    sent.push(url);
    if (isHeld) return answer();
    isHeld = true;
    return new Response("", { status: 429, headers: { ...used, "X-RateLimit-Reset": "10" } });
  };
  const { clock } = time;
  const random = () => 0;
  const settings = { scheduler, clock, random, maxWaiting: MANY + 1, wait: 60_000, ...options };
  const api = limitedFetch(network, settings);
  await api(URL, { spillway: { attempts: 1 } });
  sent.length = 0;
  const turn = async () => {
    for (const call of turns.splice(0)) call();
    await time.advance(0);
  };
  return { time, turns, turn, sent, api };
}

/** So many calls with a number each, and the numbers of those that have ended, in order. */
function calls(count: number, call: (number: number) => Promise<unknown>) {
  const ended: number[] = [];
  for (let number = 0; number < count; number++) {
    const end = () => void ended.push(number);
    call(number).then(end, end);
  }
  return ended;
}

/** Takes turns until all have ended; the most that ended in one of them. */
async function mostInTurn(ended: readonly unknown[], turn: () => Promise<void>) {
  let most = ended.length;
  while (ended.length < MANY) {
    const last = ended.length;
    await turn();
    expect(ended.length).toBeGreaterThan(last);
    most = Math.max(most, ended.length - last);
  }
  return most;
}

const INORDER = Array.from({ length: MANY }, (_, number) => number);

test("who waits for one signal shares one listener, and all are ended in order, in slices", async () => {
  const { time, turn, sent, api } = await held();
  const controller = new AbortController();
  const { signal } = controller;
  let listeners = 0;
  const add = signal.addEventListener.bind(signal);
  signal.addEventListener = (...rest: Parameters<typeof add>) => {
    listeners++;
    add(...rest);
  };
  const ended = calls(MANY, () => api(URL, { signal }));
  await time.advance(1);
  expect([listeners, ended]).toEqual([1, []]);
  controller.abort();
  // Meanwhile the host may be sent requests again: none of those that wait to be ended is.
  await time.advance(20_000);
  expect(await mostInTurn(ended, turn)).toBeLessThanOrEqual(MOST_IN_TURN);
  expect([ended, sent, time.waiting]).toEqual([INORDER, [], 0]);
});

test("those whose deadlines come together are refused in order, in slices", async () => {
  const never = () => new Promise<Response>(() => {});
  const { time, turn, sent, api } = await held({ concurrency: 1 }, never);
  const ended = calls(MANY + 1, () => api(URL, { spillway: { wait: 12_000 } }));
  await time.advance(12_000);
  // The first is under way for good.
  expect(sent.length).toBe(1);
  expect(await mostInTurn(ended, turn)).toBeLessThanOrEqual(MOST_IN_TURN);
  expect(ended).toEqual(INORDER.map((number) => number + 1));
});

test("those who may be sent together are sent in order, in slices", async () => {
  const { time, turn, sent, api } = await held();
  calls(MANY, (number) => api(URL + number));
  await time.advance(10_000);
  let most = sent.length;
  while (sent.length < MANY) {
    const before = sent.length;
    await turn();
    await time.advance(1);
    expect(sent.length).toBeGreaterThan(before);
    most = Math.max(most, sent.length - before);
  }
  expect(most).toBeLessThanOrEqual(MOST_IN_TURN);
  expect(sent).toEqual(INORDER.map((number) => URL + number));
});
