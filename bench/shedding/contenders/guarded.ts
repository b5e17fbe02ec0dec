/** A shedder of spillway's around a route, as one writes it by hand. */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Admission, Priority, Shedder } from "spillway/shedding";
import { type Contender, DEADLINE, type Handle, type Work } from "./contender.ts";

/** Asks the shedder before each request, and tells it how the request ended. */
export function guarded(makeShedder: () => Shedder): Contender {
  return { open: (_scope, work) => guard(makeShedder(), work) };
}

function guard(shedder: Shedder, work: Work): Handle {
  return async (request, reply) => {
    const admitted = shedder.admit({
      priority: request.headers["x-priority"] as Priority,
      cohort: String(request.headers["x-user"]),
      deadline: DEADLINE,
    });
    const admission = admitted instanceof Promise ? await admitted : admitted;
    return admission.ok ? serve(admission, { request, work }) : refuse(admission, reply);
  };
}

function refuse({ retryAfter }: Admission, reply: FastifyReply): FastifyReply {
  return reply
    .code(503)
    .header("retry-after", Math.max(1, Math.ceil(retryAfter / 1000)))
    .send({ error: "overloaded" });
}

type Request = { readonly request: FastifyRequest; readonly work: Work };

/** Work is not begun for a client who has gone meanwhile. */
async function serve(admitted: Admission, { request, work }: Request): Promise<object> {
  using admission = admitted;
  if (request.raw.socket.destroyed) throw new Error("the client has gone");
  const body = await work();
  admission.done();
  return body;
}
