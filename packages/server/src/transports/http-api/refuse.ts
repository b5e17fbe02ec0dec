import type { FastifyReply } from "fastify";
import type { Decision } from "spillway";
import { refusalHeaders, refusalStatus } from "spillway/http";

/** Sets the status of a refusal and the time to wait on a response. */
export function refuse(reply: FastifyReply, decision: Decision): void {
  reply.code(refusalStatus(decision)).headers(refusalHeaders(decision));
}

/** Returns the headers of a refusal that no limit caused, with the wait in milliseconds. Pure. */
export const retryAfterHeader = (ms: number): Readonly<Record<string, string>> =>
  refusalHeaders({ retryAfter: ms });
