/** The reverse proxy: it classifies and decides each request, and forwards what is admitted. */
import { type IncomingMessage, type Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Warn } from "spillway/core";
import type { Trust } from "spillway/http";
import type { Admission } from "spillway/shedding";
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
import { limitHeaders, sendError, sendRefusal, sendShed, type Wishes } from "./answers.ts";
import { atEnd, hasGone } from "./ends.ts";
import { type ExchangeFailure, UpstreamExchange } from "./exchange.ts";
import { type Forwarder, forwarder } from "./forwarded.ts";
import { type FrontTls, frontServer, isWebSocket } from "./front.ts";
import { type CheckedHead, checkHead, normalHead } from "./head.ts";
import { upstreamError } from "./refused.ts";
import { RequestGate } from "./request-gate.ts";
import { type ProxyShedding, shed } from "./shedding.ts";
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
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly head: CheckedHead;
  readonly headers: readonly string[];
  readonly wishes: Wishes;
  /** The connection of a request for a WebSocket; undefined for all others. */
  readonly tunnel: { readonly client: Duplex; readonly head: Buffer } | undefined;
  /** The shedder's admission; undefined without a shedder. */
  readonly admission?: Admission | undefined;
};

export class ReverseProxy {
  readonly server: Server;
  readonly #options: ProxyOptions;
  readonly #upstreams: Upstreams;
  readonly #forwarder: Forwarder;
  readonly #gate = new RequestGate();
  readonly #classified = classifier();
  readonly #stop: GracefulStop;
  readonly #busy = new WeakSet<Duplex>();
  readonly #releases = new Set<Promise<void>>();

  constructor(options: ProxyOptions) {
    const { to, connections, times, trust, tls, warn, onAnswered } = options;
    this.#options = options;
    this.#upstreams = new Upstreams({ to, connections, times });
    this.#forwarder = forwarder({ trust, warn });
    this.server = frontServer({
      bounds: { ...DEFAULT_BOUNDS, ...options.bounds },
      tls,
      handle: (request, response) => this.#arrived(request, response),
      upgrade: (request, socket, head) => this.#asksToUpgrade(request, socket, head),
      onDefence: options.onDefence ?? (() => {}),
      onAnswered,
      onClosed: (socket, response) => this.#stop.ended(socket, response),
    });
    const stop = { ...STOP_TIMES, whole: WHOLE_STOP, ...options.stop };
    this.#stop = new GracefulStop(this.server, this.#gate, stop);
  }

  /** Finishes what is under way, and releases all leases. */
  async close(): Promise<void> {
    await this.#stop.run();
    await this.#upstreams.close();
    await Promise.all(this.#releases);
  }

  #arrived(request: IncomingMessage, response: ServerResponse): void {
    if (!this.#begins(request.socket, response)) {
      request.resume();
      return;
    }
    this.#gate.pass(() => this.#decide({ request, response, tunnel: undefined }));
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
    response.assignSocket(client as Socket);
    response.once("finish", () => client.end());
    this.#gate.pass(() => this.#decide({ request, response, tunnel: { client, head } }));
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

  #decide(arrived: Pick<Passing, "request" | "response" | "tunnel">): void {
    const fail = (error: unknown) => this.#fail(arrived.response, error);
    try {
      const passing = this.#read(arrived);
      const normal = this.#normal(passing);
      const done = chain(this.#shed(passing, normal), (admission) => {
        if (admission === undefined) return this.#limit(passing, normal);
        // The client has gone while its request waited.
        if (hasGone(passing)) admission.done("failed");
        else if (admission.ok) return this.#limit({ ...passing, admission }, normal);
        else sendShed(passing.response, admission, passing.wishes);
      });
      if (done instanceof Promise) done.catch(fail);
    } catch (error) {
      fail(error);
    }
  }

  /** Decides before any limit is asked; undefined without a shedder. */
  #shed(passing: Passing, normal: NormalRequest): MaybePromise<Admission | undefined> {
    const { shedding } = this.#options;
    if (shedding === undefined) return undefined;
    return chain(shed(shedding, normal, passing.response), (admission) => {
      // Nothing that ends otherwise says how long work takes.
      if (admission.ok) atEnd(passing, () => admission.done("failed"));
      return admission;
    });
  }

  #limit(passing: Passing, normal: NormalRequest): MaybePromise<void> {
    const { service, domain } = this.#options;
    const admitted = admit(normal, { service, domain, classified: this.#classified });
    return chain(admitted, (decided) => this.#proceed(passing, decided));
  }

  #read(arrived: Pick<Passing, "request" | "response" | "tunnel">): Passing {
    const { request, tunnel } = arrived;
    const head = checkHead(request);
    if (tunnel !== undefined && (head.hasBody || !isWebSocket(request))) {
      throw badRequest("Found Upgrade, expected it only in a GET for a WebSocket, without a body");
    }
    const client = { peer: peerOf(request), isEncrypted: this.#options.tls !== undefined };
    const headers = this.#forwarder.headersFor(head, client);
    const { accept, origin } = request.headers;
    return { ...arrived, head, headers, wishes: { accept, origin } };
  }

  #normal({ request, head, headers }: Passing) {
    const { method, target, host } = head;
    const peer = peerOf(request);
    const address = (bits: number) => this.#forwarder.addressOf(head, peer, bits);
    return normalHead({ method, target, host, headers, address });
  }

  #proceed(passing: Passing, { response: decided, lease }: AdmittedRequest): void {
    const { response, wishes } = passing;
    if (lease !== undefined) this.#releaseAtEnd(passing, lease);
    // The client has gone while the store was asked.
    if (hasGone(passing)) return;
    if (decided?.joint?.ok === false) sendRefusal(response, decided, wishes);
    else if (passing.tunnel !== undefined) this.#openTunnel(passing, decided);
    else this.#forward(passing, decided);
  }

  #forward(passing: Passing, decided: LimitResponse | undefined): void {
    const { request, response, head, headers, wishes, admission } = passing;
    const { method, path, hasBody, expectsContinue } = head;
    const added = limitHeaders(decided, wishes);
    const exchange = new UpstreamExchange({
      request,
      response,
      method,
      path,
      headers,
      hasBody,
      added,
      upstreams: this.#upstreams,
      idle: this.#options.times.idle,
      onAnswered: (outcome) => admission?.done(outcome),
      onFailed: (failure) => this.#failed(response, failure),
    });
    if (expectsContinue) response.writeContinue();
    exchange.begin();
  }

  #openTunnel(passing: Passing, decided: LimitResponse | undefined): void {
    const { tunnel, response, head, headers, request, wishes, admission } = passing;
    if (tunnel === undefined) return;
    const upstream = this.#upstreams.choose();
    openWebSocket({
      path: head.path,
      headers,
      ...tunnel,
      response,
      added: limitHeaders(decided, wishes),
      upstream,
      times: this.#options.times,
      onOpen: () => {
        admission?.done("streaming");
        this.#stop.ended(request.socket, response);
      },
      onFailed: (error) => {
        const code = error instanceof UpstreamLateError ? "upstream-late" : "upstream-failed";
        this.#failed(response, { code, upstream, error });
      },
    });
  }

  #releaseAtEnd(passing: Passing, lease: NonNullable<AdmittedRequest["lease"]>): void {
    atEnd(passing, () => {
      const released = lease.end();
      this.#releases.add(released);
      released.finally(() => this.#releases.delete(released));
    });
  }

  #failed(response: ServerResponse, { code, upstream, error }: ExchangeFailure): void {
    if (response.closed) return;
    if (code === "request-timeout") {
      const detail = "Found no more of the body for too long, expected all of it sooner";
      sendError(response, new RequestError({ status: 408, code, detail }));
      return;
    }
    this.#options.onFailed?.({ origin: upstream.origin, message: error.message });
    sendError(response, upstreamError(code));
  }

  #fail(response: ServerResponse, error: unknown): void {
    if (error instanceof RequestError) {
      sendError(response, error);
      return;
    }
    this.#options.warn(`a request failed: ${shownStack(error)}`);
    const detail = "An internal error occurred; the request is not the cause";
    sendError(response, new RequestError({ status: 500, code: "internal", detail }));
  }
}

function peerOf({ socket }: IncomingMessage): string {
  return socket.remoteAddress ?? "unknown";
}
