/** What every adapter shares: who may pass, what they are answered, and what is to be done afterwards. */

import { notify, textOf, warningsTo } from "../../internal/index.ts";
import { timersEndWithRequests, type Warn } from "../../limits/core/index.ts";
import type { Admission } from "../../shedding/index.ts";
import { clientAddress, type Header } from "../headers/index.ts";
import { BodyLacks } from "./bodies.ts";
import { called, RouteFailure } from "./calls.ts";
import { addressOptions, checkRoute, formsOf, limitsOf } from "./check-route.ts";
import type { RequestReader } from "./client.ts";
import { ClientGone, type Entering, Entrance, type Reading } from "./entrance.ts";
import { KeyWarnings } from "./key-warnings.ts";
import { chain, isPromised, type Maybe, together } from "./maybe.ts";
import { type OwnAnswer, ownAnswer } from "./own-answer.ts";
import { type Context, type Found, Passage, reportOf } from "./passage.ts";
import { mayQueue, spread, takingInQueue, untilStart } from "./queueing.ts";
import { failureRefusal, type Refusal, refusalOf } from "./refusal.ts";
import type { OfRequest, RouteDecision, RouteLimits } from "./route.ts";
import { askFor, type RouteAsk } from "./route-asks.ts";
import { RouteHeaders } from "./route-headers.ts";
import { sheddingOf } from "./shedding.ts";
import { type AnyLimiter, giveBack, type Taken, takingOf } from "./taking.ts";
import { socketNotHeld } from "./web-socket.ts";

const NONE: readonly Header[] = [];

/**
 * Milliseconds for a store's answer by default. Stores have deadlines of their own, which answer by `whenUnavailable`: up to
 * a second each for a check and a call until the first answer of a connection.
 */
const STORE_TIMEOUT = 2500;

const NO_DEADLINE =
  "the store has given no answer in a route's `timeout`: give it a deadline of its own, so that " +
  "limits answer by their `whenUnavailable`";

const NOT_SKIPPED =
  "`skip` of a route returns something that is not true: the request is limited. Return true, or false";

/** Guards a route: made once for it, asked for each request. */
export class Guard<R> {
  /** Whether requests may wait, for a shedder or for their start: then a signal has to say when their client goes. */
  readonly waits: boolean;
  readonly #limiter: AnyLimiter;
  readonly #route: RouteLimits<R>;
  readonly #reading: Reading<R>;
  readonly #routeHeaders: RouteHeaders;
  readonly #timeout: number;
  readonly #skips: OfRequest<R, boolean> | undefined;
  readonly #shed: ((entrance: Entrance<R>) => Maybe<Admission>) | undefined;
  readonly #asks: readonly OfRequest<R, RouteAsk>[];
  readonly #take: (asks: readonly RouteAsk[]) => Maybe<Taken>;
  readonly #context: Context<R>;
  readonly #keyWarnings: KeyWarnings<R> | undefined;
  readonly #warn: Warn;
  readonly #warned = new Set<string>();

  /** @throws SpillwayError where the route says what it can't. */
  constructor(limiter: AnyLimiter, route: RouteLimits<R>, reader: RequestReader<R>) {
    checkRoute(limiter, route);
    const { partitionKey = false, timeout = 1000, wait = 5000, peer } = route;
    const warn = warningsTo(route.warn);
    this.#limiter = limiter;
    this.#route = route;
    if (limitsOf(route).some(({ key }) => key !== undefined)) {
      const knowsPeer = peer === undefined;
      this.#keyWarnings = new KeyWarnings({ reader, knowsPeer, warn: route.warn });
    }
    const find = clientAddress(addressOptions(route));
    this.#reading = { reader: peer === undefined ? reader : { ...reader, peer }, find };
    this.#timeout = timeout;
    this.#warn = warn;
    const isQueued = limitsOf(route).some((one) => mayQueue(limiter, one));
    this.waits = isQueued || route.shedder !== undefined;
    this.#routeHeaders = new RouteHeaders({
      limits: limiter.limits,
      forms: formsOf(route),
      partitionKey,
    });
    this.#skips = route.skip;
    this.#shed = sheddingOf(route, timeout);
    const settles = limitsOf(route).map(({ settle }) => settle);
    const isSettled = settles.some(Boolean);
    const keepsForgotten = (request: R) => this.#keepsForgotten(request);
    this.#context = {
      limiter,
      settles,
      isSettled,
      timeout,
      onEvent: route.onEvent,
      keepsForgotten,
      report: (taken, earlier) =>
        this.#routeHeaders.report(route.shadow ? undefined : taken, earlier),
    };
    this.#asks = limitsOf(route).map((each) => askFor(each, timeout));
    const answeredWithin = route.timeout ?? STORE_TIMEOUT;
    this.#take = isQueued
      ? takingInQueue(limiter, { timeout: answeredWithin, wait })
      : takingOf(limiter, { timeout: answeredWithin, refuse: undefined });
  }

  /** Whether a request may pass. It throws nothing, and rejects with nothing. */
  enter(request: R, entering: Entering = {}): Maybe<Passage<R>> {
    const entrance = new Entrance(this.#reading, request, entering);
    try {
      const passage = this.#enter(entrance);
      if (!isPromised(passage)) return passage;
      return passage.catch((error) => this.#failed(entrance, error));
    } catch (error) {
      return this.#failed(entrance, error);
    }
  }

  /** Has the route's own function answer a refusal; what it fails at is reported. */
  answer<A>(request: R, own: OwnAnswer<A>): Maybe<A> {
    const failed = (failure: RouteFailure) => this.#report(request, failure);
    return ownAnswer(own, { timeout: this.#timeout, failed });
  }

  #enter(entrance: Entrance<R>): Maybe<Passage<R>> {
    if (this.#skips === undefined) return this.#shedOrTake(entrance);
    const sought = { field: "skip", timeout: this.#timeout };
    return chain(called(sought, this.#skips, entrance.request, entrance), (isSkipped) => {
      if (isSkipped === true) return this.#pass(entrance, {});
      if (isSkipped) this.#warnOnce("skip", NOT_SKIPPED);
      return this.#shedOrTake(entrance);
    });
  }

  #shedOrTake(entrance: Entrance<R>): Maybe<Passage<R>> {
    if (this.#shed === undefined) return this.#limit(entrance, undefined);
    return chain(this.#shed(entrance), (admission) => {
      if (admission.ok) return this.#takeAdmitted(entrance, admission);
      const refused = this.#refuse(entrance, { admission });
      return this.#route.shadow ? this.#limit(entrance, undefined) : refused;
    });
  }

  /** What was let in is over for the shedder, should the limits not be asked. */
  #takeAdmitted(entrance: Entrance<R>, admission: Admission): Maybe<Passage<R>> {
    const fail = (error: unknown): never => {
      admission.done("failed");
      throw error;
    };
    try {
      const passage = this.#limit(entrance, admission);
      return isPromised(passage) ? passage.catch(fail) : passage;
    } catch (error) {
      return fail(error);
    }
  }

  /** What is there at once goes on without a function of its own: it is the way of most requests. */
  #limit(entrance: Entrance<R>, admission: Admission | undefined): Maybe<Passage<R>> {
    if (this.#asks.length === 0) return this.#pass(entrance, { admission });
    const asks = this.#asked(entrance);
    if (!isPromised(asks)) return this.#limitAsked(entrance, admission, asks);
    return asks.then((found) => this.#limitAsked(entrance, admission, found));
  }

  #limitAsked(
    entrance: Entrance<R>,
    admission: Admission | undefined,
    asks: readonly RouteAsk[],
  ): Maybe<Passage<R>> {
    this.#warnOfTwice(asks, entrance.previous);
    this.#keyWarnings?.look(entrance, asks);
    const taken = this.#take(asks);
    if (!isPromised(taken)) return this.#decided(entrance, admission, taken);
    return taken.then((answer) => this.#decided(entrance, admission, answer));
  }

  #asked(entrance: Entrance<R>): Maybe<readonly RouteAsk[]> {
    const { request } = entrance;
    const [only] = this.#asks;
    if (only === undefined || this.#asks.length > 1) {
      return together(this.#asks, (ask) => ask(request, entrance));
    }
    const ask = only(request, entrance);
    return isPromised(ask) ? ask.then((found) => [found]) : [ask];
  }

  #decided(
    entrance: Entrance<R>,
    admission: Admission | undefined,
    exact: Taken,
  ): Maybe<Passage<R>> {
    const { jitter = 0, wait = 5000 } = this.#route;
    const taken = jitter === 0 ? exact : spread(exact, { jitter, wait });
    try {
      const found = { taken, headers: this.#headers(entrance, taken), admission };
      if (!taken.decision.ok) return this.#refuse(entrance, found);
      if (taken.decision.retryAfter > 0) return this.#passAtStart(entrance, found);
      return this.#pass(entrance, found);
    } catch (error) {
      this.#giveBack(taken);
      throw error;
    }
  }

  /** Its limits have admitted a request whose turn comes later. */
  async #passAtStart(entrance: Entrance<R>, found: Found & { taken: Taken }): Promise<Passage<R>> {
    const { taken } = found;
    try {
      if (!this.#route.shadow) await untilStart(taken.decision.retryAfter, entrance.signal);
      return this.#pass(entrance, found);
    } catch (error) {
      this.#giveBack(taken);
      throw error;
    }
  }

  /** Apart, so that no request needs a function for it. */
  #giveBack(taken: Taken): void {
    notify((unused) => giveBack(this.#limiter, unused), taken);
  }

  /** What is left, of this route's limits and of earlier ones; in shadow of earlier ones. */
  #headers(entrance: Entrance<R>, taken: Taken): readonly Header[] {
    if (this.#route.shadow) return this.#earlier(entrance);
    const headers = this.#routeHeaders.headers(taken, reportOf(entrance.previous));
    return this.#exposed(entrance, headers);
  }

  /** What earlier routes have reported. */
  #earlier(entrance: Entrance<R>, end: "passed" | "refused" = "passed"): readonly Header[] {
    const report = reportOf(entrance.previous);
    if (report === undefined) return NONE;
    return this.#exposed(entrance, this.#routeHeaders.earlier(report, end));
  }

  /** Adds what lets scripts of other origins read them. */
  #exposed({ request, previous }: Entrance<R>, headers: readonly Header[]): readonly Header[] {
    const isCrossOrigin = this.#reading.reader.header(request, "origin") !== undefined;
    return isCrossOrigin ? [...headers, this.#routeHeaders.exposed(reportOf(previous))] : headers;
  }

  /** Whoever reports nothing passes on what earlier routes have reported. */
  #pass(entrance: Entrance<R>, found: Found, refusal?: Refusal): Passage<R> {
    const { request, previous } = entrance;
    const context = this.#context;
    const isKnown = found.headers !== undefined || previous === undefined;
    const known = isKnown ? found : { ...found, headers: this.#earlier(entrance) };
    return new Passage({ context, request, previous, refusal, found: known });
  }

  #refuse(entrance: Entrance<R>, found: Found): Passage<R> {
    const { taken, admission } = found;
    const { shadow = false, onEvent } = this.#route;
    const decision = taken?.decision ?? (admission as Admission);
    notify(onEvent, { type: "refused", request: entrance.request, decision, shadow });
    if (shadow) return this.#pass(entrance, found);
    admission?.done("failed");
    const headers = found.headers ?? this.#earlier(entrance, "refused");
    const policies = this.#routeHeaders.policies(taken?.refused ?? []);
    const refusal = refusalOf(decision, { headers, policies });
    return this.#pass(entrance, { ...(taken && { taken }), headers: refusal.headers }, refusal);
  }

  #failed(entrance: Entrance<R>, thrown: unknown): Passage<R> {
    const failure = thrown instanceof RouteFailure ? thrown : new RouteFailure("route", thrown);
    const { shadow, whenFailed = "closed" } = this.#route;
    const { field, error, timedOut } = failure;
    const isGone = error instanceof ClientGone;
    if (!isGone) this.#report(entrance.request, failure);
    if (timedOut && field === "store") this.#warnOnce("store", NO_DEADLINE);
    const isClients = isGone || error instanceof BodyLacks;
    const isOpen = shadow || (whenFailed === "open" && field !== "store" && !isClients);
    if (isOpen) return this.#pass(entrance, {});
    const refusal = failureRefusal(failure, this.#earlier(entrance, "refused"));
    return this.#pass(entrance, { headers: refusal.headers }, refusal);
  }

  /** Deno can't take back a WebSocket any more, and leaves a client waiting that is answered otherwise. */
  #keepsForgotten(request: R): boolean {
    const error = socketNotHeld();
    this.#report(request, new RouteFailure("hold", error));
    if (this.#route.shadow) return false;
    if (timersEndWithRequests) throw error;
    return true;
  }

  /** Where nobody listens, each field once, on the console. */
  #report(request: R, { field, error, timedOut }: RouteFailure): void {
    const { onEvent } = this.#route;
    const type = timedOut ? "timed out" : "failed";
    if (onEvent !== undefined) notify(onEvent, { type, request, field, error });
    else this.#warnOnce(`${type} ${field}`, `${field} of a route ${type}: ${textOf(error)}`);
  }

  #warnOfTwice(asks: readonly RouteAsk[], previous: RouteDecision | undefined): void {
    for (let each = previous; each instanceof Passage; each = each.previous) {
      const twice = asks.find((ask) => (each as Passage<R>).asked(this.#limiter, ask));
      if (twice === undefined) continue;
      this.#warnOnce(
        "twice",
        `one request is counted twice under the limit "${twice.limit}", by two routes for the same ` +
          "key: take one of them away",
      );
    }
  }

  #warnOnce(what: string, message: string): void {
    if (this.#warned.has(what)) return;
    this.#warned.add(what);
    this.#warn(message);
  }
}
