/** The whole state of the playground, and its form in an address. All functions are pure. */
import { type LimitSetup, limitText, readLimitText } from "./limit-setup.ts";
import { type Arrivals, arrivalsAt, readArrivals, readTimes } from "./traffic.ts";

export type Setup = {
  /** One to three, over the same traffic. */
  readonly limits: readonly LimitSetup[];
  /** A text such as `20 at once, then 1/s for 30s`; not used where there are `times`. */
  readonly traffic: string;
  /** Arrivals in milliseconds from the beginning, in place of `traffic`. */
  readonly times?: readonly number[] | undefined;
  /** Whether a refused client waits for `retryAfter` and comes back. */
  readonly obeys: boolean;
  /** Units that each request takes. */
  readonly units: number;
  /** Whether windows begin with the traffic; otherwise each key's begin at an instant of its own. */
  readonly aligned: boolean;
};

export const MOST_LIMITS = 3;

/** The most characters of an address, and the most timestamps that are written into one. */
const MOST_CHARACTERS = 16_000;
const MOST_TIMES = 1500;
const MOST_UNITS = 1_000_000_000;

/** Answers: "which burst size lets 20 clicks in 2 s pass, and what happens then?" */
export const DEFAULT: Setup = {
  limits: [{ kind: "token bucket", rate: 10, period: 60_000, capacity: 15 }],
  traffic: "20 in 2s, then 1 per 2s for 30s",
  obeys: false,
  units: 1,
  aligned: true,
};

/** Formats a setup as the query of an address, without `?`. */
export function addressOf(setup: Setup): string {
  const query = new URLSearchParams();
  for (const limit of setup.limits) query.append("limit", limitText(limit));
  query.set("traffic", setup.traffic);
  if (setup.times !== undefined) query.set("times", setup.times.join(","));
  if (setup.obeys) query.set("obeys", "yes");
  if (setup.units !== 1) query.set("units", String(setup.units));
  if (!setup.aligned) query.set("windows", "per key");
  return query.toString().replaceAll("%2F", "/").replaceAll("%3A", ":").replaceAll("%2C", ",");
}

/** Whether an address can hold the setup; a long list of timestamps is left out of it. */
export function fitsAddress({ times }: Setup): boolean {
  return (times?.length ?? 0) <= MOST_TIMES;
}

/** A setup, and what was wrong with the address it was read from. */
export type ReadSetup = { readonly setup: Setup; readonly problems: readonly string[] };

/** Reads a query. Whatever is wrong with it is reported, and replaced by its default. */
export function readAddress(query: string): ReadSetup {
  if (query.length > MOST_CHARACTERS) {
    const problem = `an address of ${query.length} characters, expected at most ${MOST_CHARACTERS}`;
    return { setup: DEFAULT, problems: [problem] };
  }
  const problems: string[] = [];
  const fields = new URLSearchParams(query);
  const read = <T>(what: string, otherwise: T, value: () => T): T => {
    try {
      return value();
    } catch (error) {
      problems.push(`${what}: ${(error as Error).message}`);
      return otherwise;
    }
  };
  const times = read("times", undefined, () => timesIn(fields));
  const setup = {
    limits: read("limit", DEFAULT.limits, () => limitsIn(fields)),
    traffic: read("traffic", DEFAULT.traffic, () => trafficIn(fields)),
    ...(times !== undefined && { times }),
    obeys: read("obeys", false, () => choiceIn(fields, "obeys", ["no", "yes"]) === "yes"),
    units: read("units", 1, () => unitsIn(fields)),
    aligned: read("windows", true, () => isAligned(fields)),
  };
  return { setup, problems };
}

function limitsIn(fields: URLSearchParams): readonly LimitSetup[] {
  const texts = fields.getAll("limit");
  if (texts.length === 0) return DEFAULT.limits;
  if (texts.length > MOST_LIMITS) {
    throw new Error(`${texts.length} limits, expected at most ${MOST_LIMITS}`);
  }
  return texts.map(readLimitText);
}

function trafficIn(fields: URLSearchParams): string {
  const text = fields.get("traffic") ?? DEFAULT.traffic;
  readArrivals(text);
  return text;
}

function timesIn(fields: URLSearchParams): readonly number[] | undefined {
  const text = fields.get("times");
  return text === null ? undefined : readTimes(text);
}

function unitsIn(fields: URLSearchParams): number {
  return readUnits(fields.get("units") ?? "1");
}

/** Reads how many units a request takes. @throws Error that says what is wrong */
export function readUnits(text: string): number {
  const units = Number(text);
  if (/^\d+$/.test(text) && units >= 1 && units <= MOST_UNITS) return units;
  throw new Error(`${JSON.stringify(text)}, expected a whole number from 1 to ${MOST_UNITS}`);
}

function isAligned(fields: URLSearchParams): boolean {
  return choiceIn(fields, "windows", ["together", "per key"]) === "together";
}

function choiceIn(fields: URLSearchParams, name: string, choices: readonly string[]): string {
  const [first = ""] = choices;
  const value = fields.get(name) ?? first;
  if (choices.includes(value)) return value;
  throw new Error(`${JSON.stringify(value)}, expected ${choices.join(" or ")}`);
}

/** When the requests of a setup arrive. @throws Error for a text that is no traffic */
export function arrivalsOf({ times, traffic }: Setup): Arrivals {
  return times === undefined ? readArrivals(traffic) : arrivalsAt(times);
}
