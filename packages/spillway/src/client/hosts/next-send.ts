/** When the next request may be sent to a host, and which reason delays it longest. */
import type { WaitReason } from "../events.ts";
import type { HostPacer } from "../pace/host-pacer.ts";
import type { SendCredit } from "../pace/send-credit.ts";
import type { Counts } from "../units/counts.ts";
import type { ScarceUnit, Units } from "../units/units.ts";
import type { Contact } from "./contact.ts";
import type { Health } from "./health.ts";
import type { HostPause } from "./host-pause.ts";

/**
 * An instant by the scheduler's clock, and the number of requests that wait or are under way then.
 */
export type SendMoment = { readonly now: number; readonly waiting: number };
/** The units that the next request uses; undefined if they are not known. */
type NextRequest = { readonly counts: Counts | undefined };

/** Everything that may delay a request. */
export type SendConstraints = {
  /** Whether to slow down before a refusal. */
  readonly pacing: boolean;
  readonly pace: HostPacer;
  readonly credit: SendCredit;
  readonly units: Units;
  readonly health: Pick<Health, "pauseLeft">;
  readonly hold: HostPause;
  readonly contact: Contact;
};

export class NextSend {
  readonly #parts: SendConstraints;

  constructor(parts: SendConstraints) {
    this.#parts = parts;
  }

  /**
   * Returns the instant from which any request may be sent, as far as is known; `now` if nothing
   * delays it.
   */
  from({ now, waiting }: SendMoment): number {
    const speed = this.#parts.pacing ? this.#parts.pace.speed(now, waiting).from : 0;
    const said = Math.min(
      Math.max(this.#parts.hold.memory.until, speed),
      this.#parts.contact.probeAt,
    );
    return Math.max(said, now + this.#parts.health.pauseLeft);
  }

  /** Returns the milliseconds until the next request may be sent; 0 if it may be sent now. */
  wait(moment: SendMoment & NextRequest): number {
    const { now } = moment;
    const paced = Math.max(this.#paced(moment), this.#scarce(moment)?.wait ?? 0);
    const said = Math.min(
      Math.max(this.#parts.hold.memory.until - now, paced),
      this.#parts.contact.probeAt - now,
    );
    return Math.max(said, this.#parts.health.pauseLeft);
  }

  /**
   * Returns why the next request waits; undefined if it does not, or waits only for requests that
   * are under way.
   */
  why(moment: SendMoment & NextRequest): WaitReason | undefined {
    const { now } = moment;
    const nobody = { unit: undefined, limit: undefined };
    const scarce = this.#scarce(moment);
    const waits: readonly WaitReason[] = [
      { cause: "failing", wait: this.#parts.health.pauseLeft, ...nobody },
      { cause: "said", wait: this.#parts.hold.memory.until - now, ...nobody },
      { cause: "quota", wait: scarce?.wait ?? 0, unit: scarce?.unit, limit: scarce?.limit },
      this.#pacedBy(moment),
    ];
    const longest = waits.reduce((one, other) => (other.wait > one.wait ? other : one));
    return longest.wait > 0 ? longest : undefined;
  }

  #pacedBy(moment: SendMoment): WaitReason {
    const { now, waiting } = moment;
    const wait = this.#paced(moment);
    const quota = this.#parts.pacing ? this.#parts.pace.slowest(now, waiting) : undefined;
    if (quota === undefined) return { cause: "refusals", wait, unit: "requests", limit: undefined };
    return { cause: "quota", wait, unit: quota.unit, limit: quota.name };
  }

  /**
   * Returns the milliseconds until the rate of requests allows the next one; 0 if `pacing` is off.
   */
  #paced({ now, waiting }: SendMoment): number {
    return this.#parts.pacing
      ? this.#parts.credit.wait(now, this.#parts.pace.speed(now, waiting))
      : 0;
  }

  /** Returns the unit that delays the next request longest, and for how long. */
  #scarce({ now, ...next }: SendMoment & NextRequest): ScarceUnit | undefined {
    return this.#parts.pacing ? this.#parts.units.scarcest(now, next) : undefined;
  }
}
