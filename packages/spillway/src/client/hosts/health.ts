/**
 * Tracks whether one host answers, and decides what is sent to it while it fails.
 */
import { notify, PRIORITIES, type Priority } from "../../internal/index.ts";
import type { Random, Scheduler } from "../../limits/core/index.ts";
import { AcceptRatio } from "../../shedding/index.ts";
import { Breaker, type BreakerSettings } from "../../stores/index.ts";
import type { OnClientEvent } from "../events.ts";
import { RecentCount } from "../pace/recent-count.ts";

export type HealthSettings = {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly breaker: BreakerSettings;
  readonly onEvent: OnClientEvent | undefined;
};

/**
 * The number of recent failures at which the client itself begins to refuse requests that would
 * probably fail.
 */
const FAILURES = 10;
/** The time constant, in milliseconds, with which failures are forgotten. */
const RECENTLY = 4000;
const RATIO = { k: 2, window: 30_000 };

export class Health {
  readonly #name: string;
  readonly #settings: HealthSettings;
  readonly #breaker: Breaker;
  readonly #ratios: ReadonlyMap<Priority, AcceptRatio>;
  readonly #failures: RecentCount;
  /** Whether the last failure was a timeout. */
  #isTimeout = false;

  constructor(name: string, settings: HealthSettings) {
    this.#name = name;
    this.#settings = settings;
    this.#breaker = new Breaker(settings.breaker, settings.scheduler.elapsed);
    this.#ratios = new Map(PRIORITIES.map((priority) => [priority, new AcceptRatio(RATIO)]));
    this.#failures = new RecentCount(settings.scheduler.elapsed(), RECENTLY);
  }

  /** Milliseconds until a probe may be sent; 0 if every request may be sent. */
  get pauseLeft(): number {
    return this.#breaker.pauseLeft();
  }

  /** Whether only probes may be sent, after failures in a row. */
  get isPaused(): boolean {
    return this.#breaker.permits() !== "all";
  }

  /** Records that a request is sent. */
  sent(priority: Priority, now: number): void {
    if (this.#breaker.permits() === "probe") this.#breaker.probing();
    this.#ratios.get(priority)?.asked(now);
  }

  /** Records that the host has answered, with a refusal of this caller. */
  answered(): void {
    this.#breaker.succeeded();
  }

  /** Records that a request was served. Returns true if that ends an outage. */
  served(priority: Priority, now: number): boolean {
    this.#ratios.get(priority)?.accepted(now);
    const isOver = this.#breaker.succeeded();
    if (isOver) notify(this.#settings.onEvent, { type: "resumed", host: this.#name });
    return isOver;
  }

  /** Records that a request failed. Returns true if only probes may be sent from now on. */
  failed(now: number, isTimeout = false): boolean {
    this.#failures.add(now);
    this.#isTimeout = isTimeout;
    if (!this.#breaker.failed()) return false;
    const { onEvent, breaker } = this.#settings;
    notify(onEvent, { type: "paused", host: this.#name, ...breaker });
    return true;
  }

  /**
   * Whether the newest request should be sent as a probe instead of the oldest. After a timeout, an
   * old request may have too little time left for a response, and an aborted probe shows nothing.
   */
  get isTooLate(): boolean {
    return this.#isTimeout && this.isPaused;
  }

  /**
   * Returns whether a request should be refused here, because it would probably fail. Draws at
   * random, with the probability of `AcceptRatio`.
   */
  isInVain(priority: Priority, now: number): boolean {
    const ratio = this.#ratios.get(priority) as AcceptRatio;
    if (this.#failures.count(now) < FAILURES) return false;
    const isInVain = this.#settings.random() < ratio.refusal(now);
    if (isInVain) ratio.asked(now);
    return isInVain;
  }
}
