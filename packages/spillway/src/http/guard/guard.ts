/**
 * The core of every adapter: it admits or refuses requests, answers refusals, and ends passages.
 */

import {
  chain,
  isPromised,
  type MaybePromise,
  notify,
  rescued,
  together,
} from "../../internal/index.ts";
import type { AnyLimiter } from "../../limiter/index.ts";
import type { Admission } from "../../shedding/index.ts";
import { clientAddress, type Header, SERVER_ERROR } from "../headers/index.ts";
import { MissingBodyError } from "./bodies.ts";
import { called, RouteFailure } from "./calls.ts";
import { addressOptions, checkedRoute, limitsOf, type RouteSettings } from "./check-route.ts";
import type { RequestReader } from "./client.ts";
import { ClientGone, Entrance, type EntranceOptions, type RouteReaders } from "./entrance.ts";
import { KeyWarnings } from "./key-warnings.ts";
import { type OwnAnswer, ownAnswer } from "./own-answer.ts";
import { Passage, type PassageState, type RouteContext } from "./passage.ts";
import { mayQueue, spreadStart, takingInQueue, untilStart } from "./queueing.ts";
import { failureRefusal, problemRefusal, type Refusal, refusalOf } from "./refusal.ts";
import { requestLimitsOf } from "./request-limits.ts";
import type { OfRequest, RouteLimits } from "./route.ts";
import { askFor, type RouteAsk } from "./route-asks.ts";
import { RouteHeaders } from "./route-headers.ts";
import { RouteWarnings } from "./route-warnings.ts";
import { sheddingOf } from "./shedding.ts";
import { giveBack, type TakeResult, takingOf } from "./taking.ts";
import { isProblem, takingFor } from "./taking-found.ts";

/** Guards a route. Created once per route, called for each request. */
export class Guard<R> {
  /**
   * Whether requests may wait for a shedder or a start. Then a signal must report that the client
   * disconnects.
   */
  readonly waits: boolean;
  readonly #limiter: AnyLimiter;
  readonly #route: RouteLimits<R>;
  readonly #reading: RouteReaders<R>;
  readonly #routeHeaders: RouteHeaders;
  readonly #settings: RouteSettings;
  readonly #shed: ((entrance: Entrance<R>) => MaybePromise<Admission>) | undefined;
  readonly #asks: readonly OfRequest<R, RouteAsk>[];
  readonly #take: (asks: readonly RouteAsk[]) => MaybePromise<TakeResult>;
  /** Takes from limits that are found for each request. */
  readonly #takeFound: ReturnType<typeof takingFor> | undefined;
  readonly #context: RouteContext<R>;
  readonly #keyWarnings: KeyWarnings<R> | undefined;
  readonly #warnings: RouteWarnings<R>;

  /** @throws SpillwayError if an option of the route is invalid */
  constructor(limiter: AnyLimiter, route: RouteLimits<R>, reader: RequestReader<R>) {
    const settings = checkedRoute(limiter, route);
    const limits = limitsOf(route);
    const found = requestLimitsOf(route);
    const { peer, shedder } = route;
    const { timeout, storeTimeout, wait } = settings;
    this.#limiter = limiter;
    this.#route = route;
    if (limits.some(({ key }) => key !== undefined)) {
      const knowsPeer = peer === undefined;
      this.#keyWarnings = new KeyWarnings({ reader, knowsPeer, warn: route.warn });
    }
    const find = clientAddress(addressOptions(route));
    this.#reading = { reader: peer === undefined ? reader : { ...reader, peer }, find };
    this.#settings = settings;
    this.#warnings = new RouteWarnings(route);
    const isQueued = limits.some((one) => mayQueue(limiter, one));
    this.waits = isQueued || shedder !== undefined;
    this.#routeHeaders = new RouteHeaders(limiter, settings);
    this.#shed = sheddingOf(route, timeout);
    const settles = limits.map(({ settle }) => settle);
    this.#context = {
      limiter,
      settles,
      isSettled: settles.some(Boolean),
      timeout,
      onEvent: route.onEvent,
      keepsForgotten: (request: R) => this.#warnings.keepsForgotten(request),
      report: (taken, earlier) =>
        this.#routeHeaders.report(settings.shadow ? undefined : taken, earlier),
    };
    this.#asks = limits.map((each) => askFor(each, timeout));
    this.#take = isQueued
      ? takingInQueue(limiter, { timeout: storeTimeout, wait })
      : takingOf(limiter, { timeout: storeTimeout, refuse: undefined });
    this.#takeFound = found && takingFor(found, { limiter, timeout: storeTimeout });
  }

  /** Decides whether a request may pass. Never throws or rejects. */
  enter(request: R, entering: EntranceOptions = {}): MaybePromise<Passage<R>> {
    const entrance = new Entrance(this.#reading, request, entering);
    try {
      const passage = this.#enter(entrance);
      if (!isPromised(passage)) return passage;
      return passage.catch((error) => this.#failed(entrance, error));
    } catch (error) {
      return this.#failed(entrance, error);
    }
  }

  /** Answers a refusal by the route's own function. Failures of that function are reported. */
  answer<A>(request: R, own: OwnAnswer<A>): MaybePromise<A> {
    const failed = (failure: RouteFailure) => this.#warnings.failed(request, failure);
    return ownAnswer(own, { timeout: this.#settings.timeout, failed });
  }

  #enter(entrance: Entrance<R>): MaybePromise<Passage<R>> {
    const { skip } = this.#route;
    if (skip === undefined) return this.#shedOrTake(entrance);
    const sought = { field: "skip", timeout: this.#settings.timeout };
    return chain(called(sought, skip, entrance.request, entrance), (isSkipped) => {
      if (isSkipped === true) return this.#pass(entrance, {});
      if (isSkipped) this.#warnings.notSkipped();
      return this.#shedOrTake(entrance);
    });
  }

  #shedOrTake(entrance: Entrance<R>): MaybePromise<Passage<R>> {
    if (this.#shed === undefined) return this.#limit(entrance, undefined);
    return chain(this.#shed(entrance), (admission) => {
      if (admission.ok) return this.#takeAdmitted(entrance, admission);
      const refused = this.#refuse(entrance, { admission });
      return this.#settings.shadow ? this.#limit(entrance, undefined) : refused;
    });
  }

  /** Ends the shedder's admission if the limits can't be asked. */
  #takeAdmitted(entrance: Entrance<R>, admission: Admission): MaybePromise<Passage<R>> {
    const fail = (error: unknown): never => {
      admission.done("failed");
      throw error;
    };
    return rescued(() => this.#limit(entrance, admission), fail);
  }

  /**
   * Values available at once are passed on without a closure, because most requests take this path.
   */
  #limit(entrance: Entrance<R>, admission: Admission | undefined): MaybePromise<Passage<R>> {
    if (this.#takeFound !== undefined) return this.#limitFound(entrance, admission);
    if (this.#asks.length === 0) return this.#pass(entrance, { admission });
    const asks = this.#asked(entrance);
    if (!isPromised(asks)) return this.#limitAsked(entrance, admission, asks);
    return asks.then((found) => this.#limitAsked(entrance, admission, found));
  }

  #limitAsked(
    entrance: Entrance<R>,
    admission: Admission | undefined,
    asks: readonly RouteAsk[],
  ): MaybePromise<Passage<R>> {
    this.#warnings.countedTwice(this.#limiter, asks, entrance.previous);
    this.#keyWarnings?.look(entrance, asks);
    const taken = this.#take(asks);
    if (!isPromised(taken)) return this.#decided(entrance, admission, taken);
    return taken.then((answer) => this.#decided(entrance, admission, answer));
  }

  #limitFound(entrance: Entrance<R>, admission: Admission | undefined): MaybePromise<Passage<R>> {
    const { shadow } = this.#settings;
    return chain(this.#takeFound?.(entrance), (found) => {
      if (found === undefined) return this.#pass(entrance, { admission });
      if (!isProblem(found)) return this.#decided(entrance, admission, found);
      const refusal = problemRefusal(found, this.#earlier(entrance, "refused"));
      if (refusal.status >= SERVER_ERROR.status) {
        this.#warnings.failed(entrance.request, new RouteFailure("limits", refusal.error()));
      }
      if (shadow) return this.#pass(entrance, { admission });
      admission?.done("failed");
      return this.#pass(entrance, { headers: refusal.headers }, refusal);
    });
  }

  #asked(entrance: Entrance<R>): MaybePromise<readonly RouteAsk[]> {
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
    exact: TakeResult,
  ): MaybePromise<Passage<R>> {
    const taken = spreadStart(exact, this.#settings);
    try {
      const found = { taken, headers: this.#headers(entrance, taken), admission };
      this.#noteShadows(entrance.request, taken);
      if (!taken.decision.ok) return this.#refuse(entrance, found);
      if (taken.own === undefined && taken.decision.retryAfter > 0)
        return this.#passAtStart(entrance, found);
      return this.#pass(entrance, found);
    } catch (error) {
      this.#giveBack(taken);
      throw error;
    }
  }

  /** Reports refusals by limits in shadow mode, which refuse no request. */
  #noteShadows(request: R, { decisions }: TakeResult): void {
    for (const { shadowed } of decisions) {
      if (shadowed?.ok !== false) continue;
      notify(this.#route.onEvent, { type: "refused", request, decision: shadowed, shadow: true });
    }
  }

  /** Passes an admitted request once its start has come. */
  async #passAtStart(
    entrance: Entrance<R>,
    found: PassageState & { taken: TakeResult },
  ): Promise<Passage<R>> {
    const { taken } = found;
    try {
      if (!this.#settings.shadow) await untilStart(taken.decision.retryAfter, entrance.signal);
      return this.#pass(entrance, found);
    } catch (error) {
      this.#giveBack(taken);
      throw error;
    }
  }

  /** A method of its own, so that no request needs a closure. */
  #giveBack(taken: TakeResult): void {
    notify((unused) => giveBack(this.#limiter, unused), taken);
  }

  /**
   * Returns the headers for this route's limits and earlier ones; in shadow mode, only for earlier
   * ones.
   */
  #headers(entrance: Entrance<R>, taken: TakeResult): readonly Header[] {
    if (this.#settings.shadow) return this.#earlier(entrance);
    return this.#routeHeaders.headers(taken, entrance);
  }

  /** Returns the headers for the limits that earlier routes reported. */
  #earlier(entrance: Entrance<R>, end: "passed" | "refused" = "passed"): readonly Header[] {
    return this.#routeHeaders.earlier(entrance, end);
  }

  /** Creates a passage. Without headers of its own, it repeats what earlier routes reported. */
  #pass(entrance: Entrance<R>, found: PassageState, refusal?: Refusal): Passage<R> {
    const { request, previous } = entrance;
    const context = this.#context;
    const isKnown = found.headers !== undefined || previous === undefined;
    const known = isKnown ? found : { ...found, headers: this.#earlier(entrance) };
    return new Passage({ context, request, previous, refusal, found: known });
  }

  #refuse(entrance: Entrance<R>, found: PassageState): Passage<R> {
    const { taken, admission } = found;
    const { shadow } = this.#settings;
    const decision = taken?.decision ?? (admission as Admission);
    notify(this.#route.onEvent, { type: "refused", request: entrance.request, decision, shadow });
    if (shadow) return this.#pass(entrance, found);
    admission?.done("failed");
    const headers = found.headers ?? this.#earlier(entrance, "refused");
    const policies = this.#routeHeaders.policies(taken?.refused ?? []);
    const refusal = refusalOf(decision, { headers, policies });
    return this.#pass(entrance, { ...(taken && { taken }), headers: refusal.headers }, refusal);
  }

  #failed(entrance: Entrance<R>, thrown: unknown): Passage<R> {
    const failure = thrown instanceof RouteFailure ? thrown : new RouteFailure("route", thrown);
    const { shadow, whenFailed } = this.#settings;
    const { field, error } = failure;
    const isGone = error instanceof ClientGone;
    if (!isGone) this.#warnings.failed(entrance.request, failure);
    const isClients = isGone || error instanceof MissingBodyError;
    const isOpen = shadow || (whenFailed === "open" && field !== "store" && !isClients);
    if (isOpen) return this.#pass(entrance, {});
    const refusal = failureRefusal(failure, this.#earlier(entrance, "refused"));
    return this.#pass(entrance, { headers: refusal.headers }, refusal);
  }
}
