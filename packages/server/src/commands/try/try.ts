import { type Rate, SpillwayError } from "spillway";
import { RATE_KINDS } from "spillway/support";
import { CommandError } from "../../process/command-error.ts";
import { counted, describeLimit } from "../../process/console/index.ts";
import { asProgram, asRule } from "./as-code.ts";
import { axis, picture, time } from "./picture.ts";
import { type PlayInput, type PlayResult, play } from "./play.ts";
import { type RatePerPeriod, readRate } from "./read-rate.ts";
import { type ArrivalTimes, atOnce, evenly, readTraffic, trafficOf } from "./read-traffic.ts";

export type TryOptions = {
  /** Default: a token bucket. */
  readonly kind?: readonly Rate["kind"][];
  readonly burst?: number;
  readonly traffic?: string;
};

/**
 * The maximum number of columns of the picture. A narrower terminal gets fewer, but at least 20.
 */
const WIDTH = 60;
/** Columns outside the picture, mostly for the names of its lines. */
const MARGIN = 14;

/**
 * `spillway try`: runs traffic against a limit, and draws what is admitted, refused and left.
 *
 * @throws CommandError `bad-rate`, `bad-traffic`
 */
export function tryLimit(
  rate: string,
  { kind: kinds = ["token bucket"], burst, traffic }: TryOptions,
): void {
  const pace = readRate(rate);
  const played = traffic === undefined ? usualTraffic(pace, burst) : readTraffic(traffic);
  const limits = kinds.map((kind) => limitOf(kind, pace, burst));
  const columns = process.stdout.columns ?? WIDTH + MARGIN;
  const width = Math.max(20, Math.min(WIDTH, columns - MARGIN));
  for (const line of shown(limits, played, width)) console.log(line);
}

/** The maximum number of requests in each phase of the default traffic. */
const MOST_USUAL = 40_000;

/** Builds the default traffic: the burst at once, then twice the rate for two periods. */
function usualTraffic({ rate, period }: RatePerPeriod, burst = rate): ArrivalTimes {
  const duration = Math.floor(Math.min(2 * period, (period * MOST_USUAL) / (2 * rate)));
  const burstPhase = atOnce(Math.min(burst, MOST_USUAL));
  return trafficOf([burstPhase, evenly({ rate: 2 * rate, period, duration })]);
}

function limitOf(kind: Rate["kind"], pace: RatePerPeriod, burst: number | undefined): Rate {
  const capacity = burst !== undefined && RATE_KINDS[kind].holds ? { capacity: burst } : {};
  return { kind, ...pace, ...capacity } as Rate;
}

/** @throws CommandError `bad-rate` for a limit that is out of range or can't be computed exactly */
function playedOf(playing: PlayInput): PlayResult {
  try {
    return play(playing);
  } catch (error) {
    if (error instanceof SpillwayError) throw new CommandError("bad-rate", error.message);
    throw error;
  }
}

function shown(limits: readonly Rate[], traffic: ArrivalTimes, width: number): readonly string[] {
  const longest = Math.max(...limits.map(({ period }) => period as number));
  const span = Math.max(traffic.duration, longest);
  const pictures = limits.flatMap((limit) => [
    describeLimit(limit),
    ...picture(playedOf({ limit, traffic, span, width })),
    "",
  ]);
  const code = limits.flatMap((limit) => [...asProgram(limit), "", ...asRule(limit), ""]);
  const heading = `${counted(traffic.arrivals.length, "request")} in ${time(traffic.duration)}`;
  return [heading, "", ...pictures.slice(0, -1), axis({ span, width }), "", ...code.slice(0, -1)];
}
