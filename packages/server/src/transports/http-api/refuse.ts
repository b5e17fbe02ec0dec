import type { FastifyReply } from "fastify";
import type { Decision } from "spillway";
import { refusalHeaders, refusalStatus } from "spillway/http";

/** Gives an answer the status of a refusal, and says when to come back. */
export function refuse(reply: FastifyReply, decision: Decision): void {
  reply.code(refusalStatus(decision)).headers(refusalHeaders(decision));
}

/** The headers of a refusal that is no limit's: when to come back, in milliseconds from now. Pure. */
export const retryAfterHeader = (ms: number): Readonly<Record<string, string>> =>
  refusalHeaders({ retryAfter: ms });
