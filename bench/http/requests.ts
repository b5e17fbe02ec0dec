/** What the servers are asked: for one unit of a key, on a route that admits or on one that refuses. */
import { DAY, HOUR } from "spillway";
import { makeKeys, shuffled } from "../keys.ts";
import type { Asked } from "../service/load.ts";

/** Whose request it is. */
export const KEY = "x-user";

/** The routes of every server. */
export const ADMITTED = "/";
export const REFUSED = "/refused";

/** What a key may on each route; on the second, nothing is left after a first request. */
export const AMPLE = { rate: 1_000_000, period: HOUR } as const;
export const SCARCE = { rate: 1, period: DAY } as const;

/** What every server answers. */
export const BODY = { ok: true };

const KEYS = shuffled(makeKeys(10_000));

/** All are admitted. */
export const admitted: readonly Asked[] = KEYS.map((key) => asked(ADMITTED, key, 200));

/** Nine of ten are refused, once `spent` has been sent. */
export const mostlyRefused: readonly Asked[] = KEYS.map((key, index) =>
  index % 10 === 0 ? asked(ADMITTED, key, 200) : asked(REFUSED, key, 429),
);

/** Uses up what the keys of `mostlyRefused` may. */
export const spent: readonly Asked[] = mostlyRefused
  .filter(({ status }) => status === 429)
  .map(({ text }) => ({ text, status: 200 }));

function asked(path: string, key: string, status: number): Asked {
  return { text: `GET ${path} HTTP/1.1\r\nhost: localhost\r\n${KEY}: ${key}\r\n\r\n`, status };
}
