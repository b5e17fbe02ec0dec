/** Whether one host answers: what is sent to it while it fails, and how soon it is trusted again. */
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

/** Failures in the last seconds, from which on a client refuses itself what would fail. */
const FAILURES = 10;
/** Milliseconds of which failures count. */
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

  /** Milliseconds until a probe may be sent; 0 where everything may. */
  get pauseLeft(): number {
    return this.#breaker.pauseLeft();
  }

  /** Whether nothing but probes is sent. */
  get isPaused(): boolean {
    return this.#breaker.permits() !== "all";
  }

  /** A request is sent. */
  sent(priority: Priority, now: number): void {
    if (this.#breaker.permits() === "probe") this.#breaker.probing();
    this.#ratios.get(priority)?.asked(now);
  }

  /** It answers, and refuses this caller. */
  answered(): void {
    this.#breaker.succeeded();
  }

  /** A request was served; true where that ends an outage. */
  served(priority: Priority, now: number): boolean {
    this.#ratios.get(priority)?.accepted(now);
    const isOver = this.#breaker.succeeded();
    if (isOver) notify(this.#settings.onEvent, { type: "resumed", host: this.#name });
    return isOver;
  }

  /** A request failed; true where nothing but probes is sent from now on. */
  failed(now: number, isTimeout = false): boolean {
    this.#failures.add(now);
    this.#isTimeout = isTimeout;
    if (!this.#breaker.failed()) return false;
    const { onEvent, breaker } = this.#settings;
    notify(onEvent, { type: "paused", host: this.#name, ...breaker });
    return true;
  }

  /**
   * Whether who has waited longest would be sent too late: what is left of a caller's patience may be less than an
   * answer takes, and a probe that is broken off shows nothing.
   */
  get isTooLate(): boolean {
    return this.#isTimeout && this.isPaused;
  }

  /** Whether it fails so often that a request had better not be sent. */
  isInVain(priority: Priority, now: number): boolean {
    const ratio = this.#ratios.get(priority) as AcceptRatio;
    if (this.#failures.count(now) < FAILURES) return false;
    const isInVain = this.#settings.random() < ratio.refusal(now);
    if (isInVain) ratio.asked(now);
    return isInVain;
  }
}
