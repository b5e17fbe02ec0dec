/** When the next request may be sent to a host, and why not now: the longest of all that keeps it. */
import type { WaitReason } from "../events.ts";
import type { HostPacer } from "../pace/host-pacer.ts";
import type { SendCredit } from "../pace/send-credit.ts";
import type { Counts } from "../units/counts.ts";
import type { ScarceUnit, Units } from "../units/units.ts";
import type { Contact } from "./contact.ts";
import type { Health } from "./health.ts";
import type { HostPause } from "./host-pause.ts";

/** An instant by the scheduler's clock, and how many requests wait then, or are under way. */
export type SendMoment = { readonly now: number; readonly waiting: number };
/** What the next request uses, where that is said. */
type NextRequest = { readonly counts: Counts | undefined };

/** All that may keep a request from being sent. */
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

  /** The instant from which on anything may be sent, as far as that is known. */
  from({ now, waiting }: SendMoment): number {
    const speed = this.#parts.pacing ? this.#parts.pace.speed(now, waiting).from : 0;
    const said = Math.min(
      Math.max(this.#parts.hold.memory.until, speed),
      this.#parts.contact.probeAt,
    );
    return Math.max(said, now + this.#parts.health.pauseLeft);
  }

  /** Milliseconds until the next one may be sent, which uses so much; none, where it may now. */
  wait(moment: SendMoment & NextRequest): number {
    const { now } = moment;
    const paced = Math.max(this.#paced(moment), this.#scarce(moment)?.wait ?? 0);
    const said = Math.min(
      Math.max(this.#parts.hold.memory.until - now, paced),
      this.#parts.contact.probeAt - now,
    );
    return Math.max(said, this.#parts.health.pauseLeft);
  }

  /** Why the next one waits; undefined where it does not, or only for others that are under way. */
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

  /** Milliseconds by the pace of requests. */
  #paced({ now, waiting }: SendMoment): number {
    return this.#parts.pacing
      ? this.#parts.credit.wait(now, this.#parts.pace.speed(now, waiting))
      : 0;
  }

  /** The unit that has to be waited for longest. */
  #scarce({ now, ...next }: SendMoment & NextRequest): ScarceUnit | undefined {
    return this.#parts.pacing ? this.#parts.units.scarcest(now, next) : undefined;
  }
}
