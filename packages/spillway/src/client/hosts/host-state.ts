/** What is known of one host: how fast it may be sent requests, whether it answers, until when nothing is sent. */
import type { Advice } from "../../http/advice/index.ts";
import type { Priority } from "../../internal/index.ts";
import { notify } from "../../internal/index.ts";
import type { Decision, Reason } from "../../limits/core/index.ts";
import { HostPacer } from "../pace/host-pacer.ts";
import type { ProvenRate } from "../pace/learned-rate.ts";
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
  /** The most milliseconds without any request, whatever the server has said. */
  readonly maxHold: number;
};

/** What came of a request that was sent. */
export type RequestResult = {
  readonly outcome: AttemptOutcome;
  readonly advice: Advice;
  readonly start: RequestStart;
  /** Whether what was not served says something of the host, and not perhaps of one of its routes alone. */
  readonly isOfHost: boolean;
  readonly status: number | undefined;
  /** For how long nothing is to be sent; undefined where nobody says. */
  readonly wait: number | undefined;
  /** Whether whoever wanted it did not wait for an answer any longer. */
  readonly isTimeout?: boolean;
};

/** What is known of a host at an instant: the rate that was learnt, and until when nothing is sent. */
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
  /** What was known before requests began to fail, and whether it has said itself to come back later. */
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

  /** Milliseconds that are left of what the server has said to wait. */
  saidLeft(now: number): number {
    return this.#hold.memory.said - now;
  }

  /** Why nothing is sent now; undefined where nobody has said so. */
  reason(now: number): Reason | undefined {
    if (this.health.pauseLeft > 0) return "unavailable";
    return this.#hold.memory.until > now ? this.#hold.memory.reason : undefined;
  }

  /** The same as a decision, where nothing may be sent for so many milliseconds. */
  refusal(
    reason: Reason,
    { now, waiting, wait }: SendMoment & { readonly wait: number },
  ): Decision {
    const said = this.saidLeft(now);
    return refusalOf({ name: this.#name, pace: this.pace, reason, now, wait, said, waiting });
  }

  /** A request has come, which is to be sent. */
  arrived(now: number): void {
    this.pace.arrived(now);
    this.units.arrived(now);
  }

  /** A request is sent. */
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

  /** What was sent has come back. */
  done(priority: Priority, sent: RequestResult, { now, inFlight }: ReceiptContext): void {
    this.underWay.over(sent.start);
    this.#answered(now, sent);
    const { outcome, start, advice } = sent;
    if (outcome === "refused" || outcome === "overloaded") this.units.refused(start, now);
    else if (outcome === "failed") this.units.over(start, now, undefined);
    this.units.advised(advice, start, { sent: start.at, received: now });
    const known = this.pace.standings.length;
    // What it says of quotas is news: until now requests were sent at this speed.
    const { rate: paced } = this.pace.paced(now, Number.POSITIVE_INFINITY);
    this.pace.advised(sent.advice, { sent: sent.start.at, received: now, inFlight });
    const isNews = known === 0 && sent.advice.quotas.length > 0;
    if (sent.outcome === "served") this.#served(priority, now, sent.start);
    else this.#notServed(sent, { now, inFlight }, isNews ? undefined : paced);
  }

  /** What was sent was broken off by whoever wanted it: that says nothing. */
  brokenOff(start: RequestStart, now: number): void {
    this.units.over(start, now, undefined);
    this.underWay.over(start);
    this.pace.learned.brokenOff(start);
  }

  /** What this host answered to a request that another one had sent on to it. */
  heard({ advice, outcome, start, wait }: RequestResult, { now, inFlight }: ReceiptContext): void {
    this.#contact.heard(now);
    this.pace.advised(advice, { sent: start.at, received: now, inFlight });
    this.units.advised(advice, start, { sent: start.at, received: now });
    if (wait !== undefined) this.#holdFor(wait, outcome, { now, inFlight });
  }

  /** What is known now, for `goBackTo`. */
  get memory(): HostMemory {
    return { rate: this.pace.learned.known, hold: this.#hold.memory };
  }

  /** What was learnt since then is not of the host. */
  goBackTo({ rate, hold }: HostMemory): void {
    this.pace.restore(rate);
    this.#hold.goBackTo(hold);
    this.health.answered();
    this.underWay.free();
    this.#before = undefined;
    this.#wasAway = false;
  }

  /** What a probe is answered is said instead of all that was said before. */
  #answered(now: number, { start, status }: RequestResult): void {
    this.#contact.heard(now);
    if (status === undefined || !this.#contact.answersProbe(start)) return;
    this.#hold.end();
    this.pace.forget();
    this.units.forget();
  }

  #served(priority: Priority, now: number, start: RequestStart): void {
    this.#hasServed = true;
    this.pace.served(start);
    this.underWay.free();
    const before = this.#before;
    // Who has learnt a rate has learnt from those refusals as well.
    const isOver = this.health.served(priority, now) || (this.#wasAway && !before?.isLimit);
    if (isOver && before !== undefined) this.pace.learned.resume(before);
    this.#before = undefined;
    this.#wasAway = false;
  }

  /** @param paced How fast was sent; undefined where that was before anything was known. */
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
   * Whether a refusal says something of a rate: not where a quota that is used up explains it. Probes that are
   * refused would teach that it stands one request a second: it stood more before the outage.
   */
  #isLesson({ outcome, advice, isOfHost, start }: RequestResult): boolean {
    if (outcome === "failed" || this.health.isPaused || !isOfHost) return false;
    if (this.units.explains(advice, start)) return false;
    return !advice.quotas.some(({ unit, remaining }) => unit === "requests" && remaining === 0);
  }

  /** Nothing is sent for a time; then as many are under way as were before, until one of these is answered. */
  #holdFor(wait: number, outcome: AttemptOutcome, { now, inFlight }: ReceiptContext): void {
    const reason = outcome === "refused" ? "limited" : "unavailable";
    if (outcome !== "refused") this.#wasAway = true;
    const isNew = this.#hold.memory.until <= now;
    const isLonger = this.#hold.say(now, { wait, reason });
    if (isLonger && (isNew || this.underWay.isFree))
      this.underWay.bound(Math.max(1, inFlight), inFlight);
  }
}
