/** Limits upgrades before the handshake. */
import {
  Guard,
  type NodeRequest,
  nodeReader,
  type UncheckedRequest,
} from "../../http/guard/index.ts";
import type { Header } from "../../http/headers/index.ts";
import type { AnyLimiter } from "../../limiter/index.ts";
import type { Decision, Limits } from "../../limits/core/index.ts";
import type { Connection, EventSource, UpgradeRoute } from "../contracts.ts";
import { intercept } from "../intercept.ts";
import { checkLimited, checkServer } from "./check.ts";
import { ConnectionAdmitter } from "./connection-admitter.ts";
import { Dismissals, isGone } from "./dismissals.ts";
import { httpText, type RawHttpResponse } from "./http-text.ts";

/**
 * Limits the upgrades of a server of `node:http` or `https`, such as those to WebSockets.
 *
 * All listeners receive only admitted upgrades, also listeners that are added later. A
 * refused upgrade is answered with 429 or 503, `Retry-After` and the headers of limits, and is
 * closed. The lease of a concurrency limit is renewed while the connection lasts, and ends with it.
 *
 * Not for WebSockets over HTTP/2 (RFC 8441), which are streams of one connection.
 *
 * @throws SpillwayError if the server or the route is invalid
 * @example
 * limitUpgrades(server, limiter, { limits: [{ limit: "connects" }, { limit: "connections" }] });
 */
export function limitUpgrades<const L extends Limits, R extends NodeRequest = UncheckedRequest>(
  server: EventSource,
  limiter: AnyLimiter<L>,
  route: UpgradeRoute<L, R>,
): void {
  checkServer(server);
  const { maxPending, ...ofRequests } = route as UpgradeRoute<Limits, R>;
  checkLimited(ofRequests);
  const guard = new Guard<R>(limiter, ofRequests, nodeReader);
  const admitter = new ConnectionAdmitter(guard, { ...ofRequests, maxPending });
  const dismissals = new Dismissals();
  const answer = (socket: Connection, refusal: RawHttpResponse) =>
    dismissals.dismiss(socket, httpText(refusal));
  const gate = ([first, second]: readonly unknown[], pass: () => void) => {
    const [request, socket] = [first as R, second as Connection];
    if (isGone(socket)) return;
    admitter.enter({
      request,
      socket,
      pass: (passage) => {
        if (passage !== undefined) (request as { spillway?: unknown }).spillway = passage;
        pass();
      },
      refuse: (refusal) => {
        const body = refusal.body(nodeReader.header(request, "accept"));
        answer(socket, { status: refusal.status, headers: refusal.headers, body });
      },
      overflow: (decision) => answer(socket, overflown(decision)),
    });
  };
  intercept(server, new Map([["upgrade", gate]]));
}

function overflown({ retryAfter }: Decision): RawHttpResponse {
  const wait: Header = ["Retry-After", String(Math.ceil(retryAfter / 1000))];
  return { status: 503, headers: [wait], body: { contentType: "text/plain", text: "" } };
}
