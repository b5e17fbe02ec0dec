/** Processes that share a limit, as people choose them, and as an address. All functions are pure. */
import { RateLimiter, SpillwayError } from "spillway";
import {
  definitionOf,
  isConcurrency,
  type LimitSetup,
  limitText,
  readLimitText,
} from "../limit-setup.ts";
import { durationText, readDuration } from "../texts.ts";

export type ProcessesSetup = {
  readonly limit: LimitSetup;
  /** The longest time for which a process holds units, in milliseconds; 0 if none are lent. */
  readonly share: number;
  readonly processes: number;
  /** Calls a second, at all processes together. */
  readonly load: number;
  /** The number of the process that ends, from 1; 0 for none. */
  readonly ends: number;
  /** When it ends, in seconds. */
  readonly at: number;
  /** Whether it gives back what it holds; otherwise it is killed. */
  readonly givesBack: boolean;
};

type NumberField = "processes" | "load" | "ends" | "at";

type Field = {
  readonly name: NumberField;
  readonly title: string;
  readonly least: number;
  readonly most: number;
};

/** Seconds that are played. */
export const SECONDS = 60;

export const PROCESS_FIELDS: readonly Field[] = [
  { name: "processes", title: "Processes", least: 1, most: 6 },
  { name: "load", title: "Calls a second, in all", least: 1, most: 200 },
  { name: "ends", title: "Process that ends", least: 0, most: 6 },
  { name: "at", title: "It ends at second", least: 1, most: SECONDS - 1 },
];

export const LEASES: ProcessesSetup = {
  limit: { kind: "concurrency", capacity: 12, ttl: 10_000, work: 1500 },
  share: 0,
  processes: 4,
  load: 9,
  ends: 2,
  at: 20,
  givesBack: false,
};

export const SHARES: ProcessesSetup = {
  ...LEASES,
  limit: { kind: "token bucket", rate: 60, period: 1000, capacity: 300 },
  share: 10_000,
  load: 50,
};

export const PROCESS_PRESETS: readonly {
  readonly name: string;
  readonly about: string;
  readonly setup: ProcessesSetup;
}[] = [
  {
    name: "Leases",
    about: "A killed process's leases expire, and its units come back.",
    setup: LEASES,
  },
  {
    name: "Shares",
    about: "Each process holds units of a bucket and decides by itself. One is killed.",
    setup: SHARES,
  },
  {
    name: "Shares, given back",
    about: "The same, but the process gives back what it holds.",
    setup: { ...SHARES, givesBack: true },
  },
  {
    name: "Places",
    about: "A released lease stays in its process for the next call there.",
    setup: { ...LEASES, share: 2000 },
  },
];

/** Formats a setup as the query of an address, without `?`. */
export function processesAddress(setup: ProcessesSetup): string {
  const query = new URLSearchParams({ limit: limitText(setup.limit) });
  query.set("share", setup.share === 0 ? "none" : durationText(setup.share));
  for (const { name } of PROCESS_FIELDS) query.set(name, String(setup[name]));
  if (setup.givesBack) query.set("how", "gives back");
  return query.toString().replaceAll("%2F", "/").replaceAll("%3A", ":");
}

/** Reads a query. Whatever is wrong with it is reported, and replaced by its default. */
export function readProcessesAddress(query: string) {
  const fields = new URLSearchParams(query.slice(0, 1000));
  const problems: string[] = [];
  const read = <T>(name: string, otherwise: T, value: (text: string) => T): T => {
    try {
      const text = fields.get(name);
      return text === null ? otherwise : value(text);
    } catch (error) {
      problems.push(`${name}: ${(error as Error).message}`);
      return otherwise;
    }
  };
  const limit = read("limit", LEASES.limit, readLimitText);
  const numbers = PROCESS_FIELDS.map((field) => [
    field.name,
    read(field.name, LEASES[field.name], (text) => readNumber(text, field)),
  ]);
  const chosen = { ...LEASES, ...Object.fromEntries(numbers), limit } as ProcessesSetup;
  const share = read("share", 0, (text) => checkedShare(chosen, readShare(text)));
  const givesBack = read("how", false, readEnd);
  return { setup: { ...chosen, share, givesBack }, problems };
}

function readNumber(text: string, { least, most }: Field): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new Error(`${quoted(text)}, expected a whole number from ${least} to ${most}`);
}

/** Parses a share, such as `10s` or `none`. @throws Error that says what is wrong */
export function readShare(text: string): number {
  return ["none", "0", ""].includes(text.trim()) ? 0 : readDuration(text);
}

function readEnd(text: string): boolean {
  if (text === "killed" || text === "gives back") return text === "gives back";
  throw new Error(`${quoted(text)}, expected killed or gives back`);
}

/** Returns a share that the limit can have. @throws Error with the library's reason */
export function checkedShare({ limit }: Pick<ProcessesSetup, "limit">, share: number): number {
  try {
    new RateLimiter({ calls: sharedLimit({ limit, share }) }, { warn: () => {} });
    return share;
  } catch (error) {
    throw error instanceof SpillwayError ? new Error(error.message) : error;
  }
}

/** What a `RateLimiter` receives. */
export function sharedLimit({ limit, share }: Pick<ProcessesSetup, "limit" | "share">) {
  return { ...definitionOf(limit), ...(share > 0 && { share }) } as ReturnType<typeof definitionOf>;
}

/** How long each call works, in milliseconds; undefined for a rate. */
export function workOf({ limit }: ProcessesSetup): number | undefined {
  return isConcurrency(limit) ? limit.work : undefined;
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 40));
}
