/** Run as a process of its own: one client, which wants what a situation says, and reports to a message what it got. */
import { seededRandom } from "spillway/testing";
import type { Call } from "../../../packages/spillway/test/servers/life/measures.ts";
import { CONTENDERS, type Init } from "./contenders.ts";
import type { Wish } from "./situation.ts";
import { SITUATIONS } from "./situations.ts";

const [name, kind, lasting] = process.argv.slice(2);
const situation = SITUATIONS.find((one) => one.name === name);
const send = await CONTENDERS[kind ?? ""]?.({ wait: situation?.wait, rate: situation?.rate });
if (situation === undefined || send === undefined) throw new Error(`there is no ${name}, ${kind}`);

const { wish = (): Wish => ({}), wanted } = situation;
const random = seededRandom(2);
const calls: Call[] = [];

function initOf({ key, timeout, tokens }: Wish): Init {
  const headers: { [name: string]: string } = {};
  if (key !== undefined) headers.Authorization = `Bearer ${key}`;
  const signal = timeout === undefined ? {} : { signal: AbortSignal.timeout(timeout) };
  if (tokens === undefined) return { headers, ...signal };
  headers["x-estimate"] = String(tokens.estimate);
  headers["x-actual"] = String(tokens.actual);
  const spillway = { count: tokens.estimate, repeat: "refused" } as const;
  return { method: "POST", body: "{}", headers, ...signal, spillway };
}

async function call(began: number, port: number): Promise<void> {
  const wished = wish(random);
  const url = `http://127.0.0.1:${port}${wished.path ?? "/"}`;
  const at = Date.now() - began;
  const named = wished.key === undefined ? url : `${url}#${wished.key}`;
  const made: Call = { at, url: named, status: 0, took: Number.POSITIVE_INFINITY };
  calls.push(made);
  made.status = (await send?.(url, initOf(wished)).catch(() => 0)) ?? 0;
  made.took = Date.now() - began - at;
}

/** Asks at random instants, so many in a second on average, whatever comes of it. */
function asking(began: number, port: number): void {
  const gap = 1000 / wanted;
  const next = (at: number): void => {
    if (at >= Number(lasting)) return;
    setTimeout(
      () => {
        void call(began, port);
        next(at + gap * 2 * random());
      },
      Math.max(0, began + at - Date.now()),
    );
  };
  next(random() * gap);
}

process.on("disconnect", () => process.exit());
process.on("message", (message: { readonly began: number; readonly port: number } | "report") => {
  if (message === "report") process.send?.(calls);
  else asking(message.began, message.port);
});
process.send?.("ready");
