/** Run as a process of its own: one client, which asks each server at random instants, and takes what it gets. */
import { CONTENDERS } from "./contenders.ts";
import { CLIENTS, LASTING, RATE, TIMES } from "./setting.ts";

/** Milliseconds between two requests to one server, on average. */
const GAP = (1000 * CLIENTS) / (RATE * TIMES);
/** The most requests that are made up for at once, after the event loop stood still. */
const MOST_AT_ONCE = 10;

function asking(ask: () => Promise<unknown>): NodeJS.Timeout {
  let due = Date.now() + GAP * Math.random();
  return setInterval(() => {
    const now = Date.now();
    for (let left = MOST_AT_ONCE; due <= now && left > 0; left--) {
      due += GAP * 2 * Math.random();
      ask().catch(() => {});
    }
    // What is missed by more than that would be a burst that no client sends.
    if (due <= now) due = now + GAP * Math.random();
  }, 5);
}

const ask = await CONTENDERS[process.argv[2] ?? ""]?.();
if (ask === undefined) throw new Error(`there is no client ${process.argv[2]}`);
process.on("disconnect", () => process.exit());
process.on("message", (ports: readonly number[]) => {
  for (const port of ports) {
    const timer = asking(() => ask(`http://127.0.0.1:${port}/`));
    setTimeout(() => clearInterval(timer), LASTING);
  }
});
process.send?.("ready");
