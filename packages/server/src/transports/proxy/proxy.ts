/** The reverse proxy: it classifies and decides each request, and forwards what is admitted. */
import { type IncomingMessage, type Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Warn } from "spillway/core";
import type { Trust } from "spillway/http";
import type { Admission, Outcome } from "spillway/shedding";
import { chain, type MaybePromise } from "spillway/support";
import type { NormalRequest } from "../../rules/index.ts";
import { classifier, type LimitResponse, RequestError, type Service } from "../../service/index.ts";
import { badRequest } from "../asking/index.ts";
import {
  type ConnectionBounds,
  DEFAULT_BOUNDS,
  GracefulStop,
  type OnAnswered,
  STOP_TIMES,
  type StopTimes,
} from "../http-api/index.ts";
import { type Defence, shownStack } from "../intake/index.ts";
import { type AdmittedRequest, admit } from "./admission.ts";
import { limitHeaders, sendError, sendRefusal, sendShed } from "./answers.ts";
import { type ArrivedRequest, type FrontResponse, http1Arrival, type Tunnel } from "./arrival.ts";
import { atEnd } from "./ends.ts";
import { type ExchangeFailure, UpstreamExchange } from "./exchange.ts";
import { type Forwarder, forwarder } from "./forwarded.ts";
import { type FrontTls, frontServer } from "./front.ts";
import { type CheckedHead, normalHead } from "./head.ts";
import { HeldLeases } from "./held-leases.ts";
import { upstreamError } from "./refused.ts";
import { RequestGate } from "./request-gate.ts";
import { type ProxyShedding, reportTo, shed } from "./shedding.ts";
import { UpgradingClient } from "./upgrading-client.ts";
import type { UpstreamTimes } from "./upstream.ts";
import { Upstreams } from "./upstreams.ts";
import { openWebSocket, UpstreamLateError } from "./web-socket.ts";

export type ProxyOptions = {
  readonly service: Service;
  /** The origins of the upstreams, such as `http://127.0.0.1:3000`. */
  readonly to: readonly string[];
  /** The domain whose `http` section classifies. Default: the only one that has it. */
  readonly domain?: string | undefined;
  /** The proxies in front of this one. Default: none. */
  readonly trust?: Trust | undefined;
  /** Times of the upstreams, in milliseconds. */
  readonly times: UpstreamTimes;
  /** The most requests in flight to one upstream. */
  readonly connections: number;
  /** Refuses the least important requests while upstreams are overloaded. Default: none. */
  readonly shedding?: ProxyShedding | undefined;
  /** A certificate for HTTPS. Default: HTTP. */
  readonly tls?: FrontTls | undefined;
  /** Whether clients may choose HTTP/2 over TLS. Default: true. */
  readonly http2?: boolean | undefined;
  readonly bounds?: Partial<ConnectionBounds> | undefined;
  /** Times of a stop, in milliseconds. */
  readonly stop?: Partial<StopTimes> | undefined;
  readonly onDefence?: ((defence: Defence) => void) | undefined;
  readonly onAnswered?: OnAnswered | undefined;
  /** Called when an upstream gives no response. */
  readonly onFailed?: ((failure: UpstreamFailure) => void) | undefined;
  /** Receives errors of the proxy itself, and hints. */
  readonly warn: Warn;
};

/** An upstream that gave no response. */
export type UpstreamFailure = { readonly origin: string; readonly message: string };

/** How long requests in flight may take when the proxy stops, in milliseconds. */
const WHOLE_STOP = 20_000;

/** A request on its way through the proxy. */
type Passing = {
  readonly arrival: ArrivedRequest;
  readonly head: CheckedHead;
  readonly headers: readonly string[];
  /** The shedder's admission; undefined without a shedder. */
  readonly admission?: Admission | undefined;
};

export class ReverseProxy {
  readonly server: Server;
  readonly #options: ProxyOptions;
  readonly #bounds: ConnectionBounds;
  readonly #upstreams: Upstreams;
  readonly #forwarder: Forwarder;
  readonly #gate = new RequestGate();
  readonly #classified = classifier();
  readonly #stop: GracefulStop;
  readonly #busy = new WeakSet<Duplex>();
  readonly #leases = new HeldLeases();

  constructor(options: ProxyOptions) {
    const { to, connections, times, trust, tls, http2 = true, warn, onAnswered } = options;
    this.#options = options;
    this.#bounds = { ...DEFAULT_BOUNDS, ...options.bounds };
    this.#upstreams = new Upstreams({ to, connections, times });
    this.#forwarder = forwarder({ trust, warn });
    const { server, closingOf } = frontServer({
      bounds: this.#bounds,
      tls,
      http2,
      http1: (request, response) => this.#arrived(request, response),
      http2Arrived: (arrival) => this.#gate.pass(() => this.#decide(arrival)),
      upgrade: (request, socket, head) => this.#asksToUpgrade(request, socket, head),
      onDefence: options.onDefence ?? (() => {}),
      onAnswered,
      onClosed: (socket, response) => this.#stop.ended(socket, response),
    });
    this.server = server;
    const stop = { ...STOP_TIMES, whole: WHOLE_STOP, ...options.stop };
    this.#stop = new GracefulStop(server, this.#gate, stop, closingOf);
  }

  /** Finishes what is under way, and releases all leases. */
  async close(): Promise<void> {
    await this.#stop.run();
    await this.#upstreams.close();
    await this.#leases.close();
  }

  #arrived(request: IncomingMessage, response: ServerResponse): void {
    if (!this.#begins(request.socket, response)) {
      request.resume();
      return;
    }
    this.#gate.pass(() => this.#decide(http1Arrival(request, response)));
  }

  /** The response has no connection of its own, as Node has given it up. */
  #asksToUpgrade(request: IncomingMessage, client: Duplex, head: Buffer): void {
    client.on("error", () => {});
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    // Earlier requests have no response yet, for which this one's would be taken.
    if (this.#busy.has(client) || !this.#begins(client as Socket, response)) {
      client.destroy();
      return;
    }
    const { writeTimeout } = this.#bounds;
    const parts = { client: client as Socket, response, head, writeTimeout };
    const upgrading = new UpgradingClient(parts);
    this.#gate.pass(() => this.#decide(http1Arrival(request, response, upgrading)));
  }

  #begins(socket: Socket, response: ServerResponse): boolean {
    this.#busy.add(socket);
    response.once("close", () => this.#busy.delete(socket));
    return this.#stop.begins(socket, {
      raw: response,
      get sent() {
        return response.headersSent;
      },
      send: () => sendError(response, upstreamError("stopping")),
    });
  }

  #decide(arrival: ArrivedRequest): void {
    const fail = (error: unknown) => this.#fail(arrival.response, error);
    try {
      const passing = this.#read(arrival);
      const normal = this.#normal(passing);
      const done = chain(this.#shed(passing, normal), (admission) => {
        if (admission === undefined) return this.#limit(passing, normal);
        // The client has gone while its request waited.
        if (arrival.isGone()) admission.done("failed");
        else if (admission.ok) return this.#limit({ ...passing, admission }, normal);
        else sendShed(arrival.response, admission, arrival.wishes);
      });
      if (done instanceof Promise) done.catch(fail);
    } catch (error) {
      fail(error);
    }
  }

  /** Decides before any limit is asked; undefined without a shedder. */
  #shed({ arrival }: Passing, normal: NormalRequest): MaybePromise<Admission | undefined> {
    const { shedding } = this.#options;
    if (shedding === undefined) return undefined;
    return chain(shed(shedding, normal, arrival.response), (admission) => {
      // Nothing that ends otherwise says how long work takes.
      if (admission.ok) atEnd(arrival, () => admission.done("failed"));
      return admission;
    });
  }

  #limit(passing: Passing, normal: NormalRequest): MaybePromise<void> {
    const { service, domain } = this.#options;
    const admitted = admit(normal, { service, domain, classified: this.#classified });
    const done = chain(admitted, (decided) => this.#proceed(passing, decided));
    this.#leases.expect(done);
    return done;
  }

  #read(arrival: ArrivedRequest): Passing {
    const head = arrival.read();
    if (arrival.tunnel?.isWebSocket === false || (arrival.tunnel && head.hasBody)) {
      throw badRequest("Found Upgrade, expected it only in a GET for a WebSocket, without a body");
    }
    const client = { peer: arrival.peer, isEncrypted: this.#options.tls !== undefined };
    return { arrival, head, headers: this.#forwarder.headersFor(head, client) };
  }

  #normal({ arrival, head, headers }: Passing) {
    const { method, target, host } = head;
    const address = (bits: number) => this.#forwarder.addressOf(head, arrival.peer, bits);
    return normalHead({ method, target, host, headers, address });
  }

  #proceed(passing: Passing, { response: decided, lease }: AdmittedRequest): void {
    const { response, wishes, tunnel, isGone } = passing.arrival;
    if (lease !== undefined) this.#leases.add(lease, passing.arrival);
    // The client has gone while the store was asked.
    if (isGone()) return;
    if (decided?.joint?.ok === false) sendRefusal(response, decided, wishes);
    else if (tunnel !== undefined) this.#openTunnel(passing, tunnel, decided);
    else this.#forward(passing, decided);
  }

  #forward(passing: Passing, decided: LimitResponse | undefined): void {
    const { arrival, head, headers } = passing;
    const { body, response, wishes } = arrival;
    const { method, path, hasBody, expectsContinue } = head;
    const added = limitHeaders(decided, wishes);
    const exchange = new UpstreamExchange({
      body,
      response,
      method,
      path,
      headers,
      hasBody,
      added,
      upstreams: this.#upstreams,
      idle: this.#options.times.idle,
      onAnswered: (outcome) => this.#answered(passing, outcome),
      onFailed: (failure) => this.#failed(response, failure),
    });
    if (expectsContinue) response.writeContinue();
    exchange.begin();
  }

  #openTunnel(passing: Passing, tunnel: Tunnel, decided: LimitResponse | undefined): void {
    const { client, upgrading, response } = tunnel;
    const upstream = this.#upstreams.choose();
    openWebSocket({
      path: passing.head.path,
      headers: passing.headers,
      client,
      upgrading,
      response,
      added: limitHeaders(decided, passing.arrival.wishes),
      upstream,
      times: this.#options.times,
      onOpen: () => {
        this.#answered(passing, "streaming");
        this.#stop.ended(client, response);
      },
      onFailed: (error) => {
        const code = error instanceof UpstreamLateError ? "upstream-late" : "upstream-failed";
        this.#failed(response, { code, upstream, error });
      },
    });
  }

  #answered({ admission, arrival }: Passing, outcome: Outcome): void {
    const { shedding } = this.#options;
    if (admission === undefined || shedding === undefined) return;
    reportTo(shedding, { admission, outcome, end: (call) => atEnd(arrival, call) });
  }

  #failed(response: FrontResponse, { code, upstream, error }: ExchangeFailure): void {
    if (response.closed) return;
    if (code === "request-timeout") {
      const detail = "Found no more of the body for too long, expected all of it sooner";
      sendError(response, new RequestError({ status: 408, code, detail }));
      return;
    }
    this.#options.onFailed?.({ origin: upstream.origin, message: error.message });
    sendError(response, upstreamError(code));
  }

  #fail(response: FrontResponse, error: unknown): void {
    if (error instanceof RequestError) {
      sendError(response, error);
      return;
    }
    this.#options.warn(`a request failed: ${shownStack(error)}`);
    const detail = "An internal error occurred; the request is not the cause";
    sendError(response, new RequestError({ status: 500, code: "internal", detail }));
  }
}
