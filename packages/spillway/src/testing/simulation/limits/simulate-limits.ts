/**
 * Simulates processes that share limits through stores, in virtual time. Calls arrive at random,
 * messages take time, processes stop, and stores and regions fail. The library's own code makes all
 * decisions.
 */
import { RateLimiter } from "../../../limiter/index.ts";
import type { Decision, Random } from "../../../limits/core/index.ts";
import { seededRandom } from "../../seeded-random.ts";
import { startArrivals } from "../arrivals.ts";
import { EventLoop } from "../event-loop.ts";
import { VirtualTime } from "../virtual-time.ts";
import { SimulatedCall } from "./call.ts";
import { type CompleteLimitScenario, layoutOf, onlyOf } from "./layout.ts";
import { Ledger, quietMemory } from "./ledger.ts";
import { SimulatedProcess } from "./process.ts";
import {
  bucketAt,
  emptyRecording,
  type LimitBucket,
  type LimitRecording,
  talliesAt,
} from "./recording.ts";
import type { LimitScenario, LimitTraffic } from "./scenario.ts";
import { Stores } from "./stores.ts";

/**
 * Runs a scenario until all calls are answered. The same scenario gives the same recording.
 *
 * Limiters, shares and regions are the production code, over memory stores behind a simulated
 * network. At the start no process holds any units and every key is fresh, so leave out the first
 * seconds when you judge the result.
 *
 * Not for shedders, and not for measuring speed: decisions take no time here. Use `simulate` for
 * those.
 *
 * @throws SpillwayError `bad-option`, `bad-region`, `unknown-field`, with the path in the scenario
 * as `field`. Also the errors of the limits, and `unknown-limit`, `bad-count`, `wrong-kind` for the
 * calls of the traffic.
 * @example
 * const recording = await simulateLimits({
 *   duration: 20_000,
 *   limits: { search: { kind: "token bucket", rate: 1000, period: 1000, share: "10s" } },
 *   processes: 8,
 *   traffic: [{ limit: "search", rate: constant(900) }],
 * });
 */
export async function simulateLimits(scenario: LimitScenario): Promise<LimitRecording> {
  const simulation = new LimitSimulation(layoutOf(scenario));
  return simulation.run();
}

class LimitSimulation {
  readonly #layout: CompleteLimitScenario;
  readonly #time = new VirtualTime();
  readonly #loop = new EventLoop(this.#time);
  readonly #recording: LimitRecording;
  readonly #ledger: Ledger;
  /** A limiter over a single store without any delay. */
  readonly #ideal: RateLimiter<never, "now">;
  readonly #processes: ReadonlyMap<string, readonly SimulatedProcess[]>;
  readonly #chance: Random;
  #unanswered = 0;

  constructor(layout: CompleteLimitScenario) {
    const { duration, width, limits, seed } = layout;
    const { clock } = this.#time;
    this.#layout = layout;
    this.#recording = emptyRecording({ duration, width });
    this.#ledger = new Ledger(limits, clock());
    this.#ideal = new RateLimiter(limits as never, { store: quietMemory(clock) });
    this.#chance = seededRandom(seed);
    this.#processes = this.#startProcesses();
  }

  async run(): Promise<LimitRecording> {
    const { traffic, duration } = this.#layout;
    for (const one of traffic) this.#startTraffic(one);
    this.#planStops();
    for (const bucket of this.#recording.buckets) this.#planReading(bucket);
    await this.#loop.run(() => this.#time.now >= duration && this.#unanswered === 0);
    this.#ledger.settle();
    return this.#recording;
  }

  #startProcesses(): ReadonlyMap<string, readonly SimulatedProcess[]> {
    const [layout, loop, time] = [this.#layout, this.#loop, this.#time];
    const stores = new Stores({ layout, loop, time, chance: this.#chance, sent: this.#sent });
    const answered = this.#answered;
    return new Map(
      [...layout.processes].map(([region, length]) => {
        const parts = { layout, loop, stores, region, answered };
        return [region, Array.from({ length }, () => new SimulatedProcess(parts))];
      }),
    );
  }

  #startTraffic(traffic: LimitTraffic): void {
    const random = this.#nextRandom();
    const [time, loop] = [this.#time, this.#loop];
    const among = this.#processesOf(traffic);
    const arrive = () => loop.deliver(() => this.#ask(traffic, among, random));
    startArrivals(traffic.rate, {
      time,
      random: this.#nextRandom(),
      until: this.#layout.duration,
      arrive,
    });
  }

  #processesOf({ region, processes }: LimitTraffic): readonly SimulatedProcess[] {
    const regions = region === undefined ? [...this.#processes.keys()] : [region];
    return regions.flatMap((name) => {
      const all = this.#processes.get(name) as readonly SimulatedProcess[];
      return processes?.map((index) => all[index] as SimulatedProcess) ?? all;
    });
  }

  #ask(
    { limit, key, count = 1, name }: LimitTraffic,
    among: readonly SimulatedProcess[],
    random: Random,
  ): void {
    const now = this.#time.now;
    const bucket = bucketAt(this.#recording, now);
    if (bucket === undefined) return;
    const drawn = typeof key === "function" ? key(random) : key;
    const tallies = talliesAt(bucket, name);
    const call = new SimulatedCall({ limit, key: drawn, count, arrived: now, tallies });
    const ask = { count, ...(drawn !== undefined && { key: drawn }) };
    const ideal = this.#ideal.limit(limit as never, ask).ok ? 1 : 0;
    for (const tally of tallies) {
      tally.asked++;
      tally.ideal += ideal;
    }
    const open = among.filter(({ isOpen }) => isOpen);
    const one = open[Math.floor(random() * open.length)];
    this.#unanswered++;
    if (one === undefined) this.#answered(call, undefined);
    else one.ask(call);
  }

  readonly #answered = (call: SimulatedCall, decision: Decision | undefined): void => {
    const { now } = this.#time;
    this.#unanswered--;
    const became = decision === undefined ? "unanswered" : decision.ok ? "admitted" : "refused";
    for (const tally of call.tallies) {
      tally[became]++;
      tally.waited += now - call.arrived;
    }
    if (decision?.ok) this.#ledger.admitted(call, call.taken(decision, now));
    else if (decision !== undefined) this.#ledger.refused(call, call.refusedAt(decision, now));
  };

  readonly #sent = ({ isFar }: { readonly isFar: boolean }): void => {
    const bucket = bucketAt(this.#recording, this.#time.now);
    if (bucket !== undefined) bucket[isFar ? "farCalls" : "storeCalls"]++;
  };

  #planStops(): void {
    for (const { at, until, region, givesBack = false, ...stop } of this.#layout.stops) {
      const all = this.#processes.get(region ?? onlyOf(this.#layout.processes));
      const one = all?.[stop.process] as SimulatedProcess;
      const plan = (instant: number, call: () => void) =>
        this.#time.plan({ at: instant, call: () => this.#loop.deliver(call) });
      plan(at, () => one.stop(givesBack));
      if (until !== undefined) plan(until, () => one.start());
    }
  }

  #planReading(bucket: LimitBucket): void {
    const call = () => {
      for (const { held } of [...this.#processes.values()].flat()) bucket.held += held;
    };
    this.#time.plan({ at: bucket.start + this.#recording.width, call });
  }

  #nextRandom(): Random {
    return seededRandom(Math.floor(this.#chance() * 2 ** 32));
  }
}
