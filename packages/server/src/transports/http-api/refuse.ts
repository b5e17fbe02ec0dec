import type { FastifyReply } from "fastify";
import type { Decision } from "spillway";
import { refusalHeaders, refusalStatus } from "spillway/core";

/** Gives an answer the status of a refusal, and says when to come back. */
export function refuse(reply: FastifyReply, decision: Decision): void {
  reply.code(refusalStatus(decision)).headers(refusalHeaders(decision));
}
