/** Everything known of one host: its rates, whether it answers, and until when nothing is sent. */
import type { Advice } from "../../http/advice/index.ts";
import type { Priority } from "../../internal/index.ts";
import { notify } from "../../internal/index.ts";
import type { Decision, Reason } from "../../limits/core/index.ts";
import { HostPacer } from "../pace/host-pacer.ts";
import type { ProvenRate } from "../pace/rate-samples.ts";
import type { RequestStart } from "../pace/request-starts.ts";
import { SendCredit } from "../pace/send-credit.ts";
import type { AttemptOutcome } from "../retry/outcome.ts";
import { Units } from "../units/units.ts";
import { Contact } from "./contact.ts";
import { Health, type HealthSettings } from "./health.ts";
import { HostPause, type HostPauseSnapshot } from "./host-pause.ts";
import { InFlightBound } from "./in-flight-bound.ts";
import { NextSend, type SendMoment } from "./next-send.ts";
import { refusalOf } from "./refusal-of.ts";
import type { WaitingRequest } from "./waiting-line.ts";

export type StateSettings = HealthSettings & {
  /** Whether to slow down before a refusal. */
  readonly pacing: boolean;
  /**
   * The longest time without any request, in milliseconds, even if the server names a longer wait.
   */
  readonly maxHold: number;
};

/** The result of a request that was sent. */
export type RequestResult = {
  readonly outcome: AttemptOutcome;
  readonly advice: Advice;
  readonly start: RequestStart;
  /**
   * Whether a refusal or a failure counts against the host: it does not if only one of its routes
   * may be at fault.
   */
  readonly isOfHost: boolean;
  readonly status: number | undefined;
  /** Milliseconds for which nothing is to be sent; undefined if the server names no wait. */
  readonly wait: number | undefined;
  /** Whether the request ended by a timeout of its caller. */
  readonly isTimeout?: boolean;
};

/**
 * A snapshot of what is known of a host: the rate learnt, and the pause.
 *
 * `rate` is in requests a millisecond, and undefined if none was learnt.
 */
export type HostMemory = { readonly rate: number | undefined; readonly hold: HostPauseSnapshot };

type ReceiptContext = { readonly now: number; readonly inFlight: number };

export class HostState {
  readonly #name: string;
  readonly #settings: StateSettings;
  readonly pace: HostPacer;
  readonly #credit: SendCredit;
  readonly health: Health;
  readonly #hold: HostPause;
  readonly underWay = new InFlightBound();
  readonly units: Units;
  readonly #contact: Contact;
  /** When the next request may be sent. */
  readonly next: NextSend;
  /**
   * The rate proven before requests began to fail; and whether the host has named a wait in a
   * failed response.
   */
  #before: ProvenRate | undefined;
  #wasAway = false;
  #hasServed = false;

  constructor(name: string, settings: StateSettings) {
    const now = settings.scheduler.elapsed();
    this.#name = name;
    this.#settings = settings;
    this.pace = new HostPacer(now);
    this.units = new Units(now);
    this.#credit = new SendCredit(now, settings.random());
    this.health = new Health(name, settings);
    this.#hold = new HostPause(settings.random);
    this.#contact = new Contact({ now, maxHold: settings.maxHold });
    this.next = new NextSend({
      pacing: settings.pacing,
      pace: this.pace,
      credit: this.#credit,
      units: this.units,
      health: this.health,
      hold: this.#hold,
      contact: this.#contact,
    });
  }

  /**
   * Returns the milliseconds left of the wait that the server has named; 0 or less if it is over.
   */
  saidLeft(now: number): number {
    return this.#hold.memory.said - now;
  }

  /** Why nothing is sent now; undefined if neither an outage nor a named wait prevents it. */
  reason(now: number): Reason | undefined {
    if (this.health.pauseLeft > 0) return "unavailable";
    return this.#hold.memory.until > now ? this.#hold.memory.reason : undefined;
  }

  /**
   * Returns the decision that refuses a request. `wait` is the milliseconds until any request may
   * be sent.
   */
  refusal(
    reason: Reason,
    { now, waiting, wait }: SendMoment & { readonly wait: number },
  ): Decision {
    const said = this.saidLeft(now);
    return refusalOf({ name: this.#name, pace: this.pace, reason, now, wait, said, waiting });
  }

  /** Records a new request, before it is sent. */
  arrived(now: number): void {
    this.pace.arrived(now);
    this.units.arrived(now);
  }

  /** Records that a request is sent. */
  sent(
    { priority, counts }: Pick<WaitingRequest, "priority" | "counts">,
    now: number,
  ): RequestStart {
    this.#contact.sent(now);
    this.#credit.spend();
    this.health.sent(priority, now);
    const start = this.pace.begin(now);
    this.underWay.sent(start, now);
    this.units.sent(start, counts);
    return start;
  }

  /** Records the result of a request that was sent. */
  done(priority: Priority, sent: RequestResult, { now, inFlight }: ReceiptContext): void {
    this.underWay.over(sent.start);
    this.#answered(now, sent);
    const { outcome, start, advice } = sent;
    if (outcome === "refused" || outcome === "overloaded") this.units.refused(start, now);
    else if (outcome === "failed") this.units.over(start, now, undefined);
    this.units.advised(advice, start, { sent: start.at, received: now });
    const known = this.pace.quotas.length;
    // The rate by the quotas known before this response. If it names the first quotas, the request
    // was not sent under them.
    const { rate: paced } = this.pace.paced(now, Number.POSITIVE_INFINITY);
    this.pace.advised(sent.advice, { sent: sent.start.at, received: now, inFlight });
    const isNews = known === 0 && sent.advice.quotas.length > 0;
    if (sent.outcome === "served") this.#served(priority, now, sent.start);
    else this.#notServed(sent, { now, inFlight }, isNews ? undefined : paced);
  }

  /** Records that a request was aborted by its caller. Nothing is learnt from it. */
  brokenOff(start: RequestStart, now: number): void {
    this.units.over(start, now, undefined);
    this.underWay.over(start);
    this.pace.learned.brokenOff(start);
  }

  /**
   * Records a response of this host to a request that was sent to another one, for example before a
   * redirect.
   */
  heard({ advice, outcome, start, wait }: RequestResult, { now, inFlight }: ReceiptContext): void {
    this.#contact.heard(now);
    this.pace.advised(advice, { sent: start.at, received: now, inFlight });
    this.units.advised(advice, start, { sent: start.at, received: now });
    if (wait !== undefined) this.#holdFor(wait, outcome, { now, inFlight });
  }

  /** A snapshot of the present knowledge, for `goBackTo`. */
  get memory(): HostMemory {
    return { rate: this.pace.learned.known, hold: this.#hold.memory };
  }

  /** Restores a snapshot, because later results were the fault of a route, not of the host. */
  goBackTo({ rate, hold }: HostMemory): void {
    this.pace.restore(rate);
    this.#hold.goBackTo(hold);
    this.health.answered();
    this.underWay.free();
    this.#before = undefined;
    this.#wasAway = false;
  }

  /** A response to a probe replaces everything that the host has reported before. */
  #answered(now: number, { start, status }: RequestResult): void {
    this.#contact.heard(now);
    if (status === undefined || !this.#contact.answersProbe(start)) return;
    this.#hold.end();
    this.forgetQuotas();
  }

  /** Forgets all quotas, of requests and of other units. */
  forgetQuotas(): void {
    this.pace.forget();
    this.units.forget();
  }

  #served(priority: Priority, now: number, start: RequestStart): void {
    this.#hasServed = true;
    this.pace.served(start);
    this.underWay.free();
    const before = this.#before;
    // A limit learnt from refusals has already been adjusted by the refusals of this outage, so it
    // is not restored.
    const isOver = this.health.served(priority, now) || (this.#wasAway && !before?.isLimit);
    if (isOver && before !== undefined) this.pace.learned.resume(before);
    this.#before = undefined;
    this.#wasAway = false;
  }

  /**
   * @param paced The rate allowed by known quotas, in requests a millisecond; undefined if no quota
   * was known then.
   */
  #notServed(
    reply: RequestResult,
    { now, inFlight }: ReceiptContext,
    paced: number | undefined,
  ): void {
    const { outcome, start, status, wait, isOfHost } = reply;
    if (outcome !== "refused" && isOfHost && this.#hasServed)
      this.#before ??= this.pace.learned.proven(now, start);
    if (paced !== undefined && this.#isLesson(reply)) {
      const held = outcome === "refused" ? (wait ?? 0) : 0;
      const lesson = { paced: paced || Number.POSITIVE_INFINITY, wait: held, share: 0 };
      if (outcome === "overloaded" && wait === undefined)
        this.pace.refusedBarely(now, start, lesson);
      else this.pace.refused(now, start, lesson);
    } else this.pace.learned.served(start);
    if (wait !== undefined) this.#holdFor(wait, outcome, { now, inFlight });
    if (outcome === "refused") {
      const refused = { host: this.#name, status: status as number, wait: wait ?? 0 };
      notify(this.#settings.onEvent, { type: "refused", ...refused });
      this.health.answered();
    } else if (isOfHost && this.health.failed(now, reply.isTimeout))
      this.underWay.bound(1, inFlight);
  }

  /**
   * Returns whether a rate is learnt from a refusal. None is if only one route may be limited, if
   * an exhausted quota explains the refusal, or while only probes are sent: the rate would be one a
   * second, but the host served more before the outage.
   */
  #isLesson({ outcome, advice, isOfHost, start }: RequestResult): boolean {
    if (outcome === "failed" || this.health.isPaused || !isOfHost) return false;
    if (this.units.explains(advice, start)) return false;
    return !advice.quotas.some(({ unit, remaining }) => unit === "requests" && remaining === 0);
  }

  /**
   * Sends nothing for a time. Afterwards allows as many new requests as are under way now, until
   * one of them is answered.
   */
  #holdFor(wait: number, outcome: AttemptOutcome, { now, inFlight }: ReceiptContext): void {
    const reason = outcome === "refused" ? "limited" : "unavailable";
    if (outcome !== "refused") this.#wasAway = true;
    const isNew = this.#hold.memory.until <= now;
    const isLonger = this.#hold.say(now, { wait, reason });
    if (isLonger && (isNew || this.underWay.isFree))
      this.underWay.bound(Math.max(1, inFlight), inFlight);
  }
}
