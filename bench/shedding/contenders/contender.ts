import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** A way to shed load, set up as its users do it. */
export type Contender = {
  /**
   * Sets it up.
   *
   * @param scope Where the guarded route will be, and nothing else: hooks are welcome.
   * @param work What the route is for; its result is the answer's body.
   * @returns What handles the route.
   */
  open(scope: FastifyInstance, work: Work): Handle | Promise<Handle>;
};

/** Does what a request is for. */
export type Work = () => Promise<object>;

/** Answers a request: with the body, or by the reply. */
export type Handle = (request: FastifyRequest, reply: FastifyReply) => Promise<object>;

/** Milliseconds after which a client gives up, which a contender may know. */
export const DEADLINE = 1000;
