/** What handles requests on `node:http` and `node:http2`, with a shedder and without. */
import type { IncomingMessage } from "node:http";
import type { Admission, Priority, Shedder } from "spillway/shedding";
import { PATHS } from "../arrivals.ts";
import { DEADLINE } from "../contenders/contender.ts";
import type { Work } from "../works/work.ts";
import { announce, type Response, stream } from "./stream.ts";

/** What of a request matters here; both modules' are like that. */
type Request = Pick<IncomingMessage, "url" | "headers">;

/** Handles a request. */
export type Handler = (request: Request, response: Response) => Promise<void>;

/** What is guarded, as the guide to shedding has it. */
export function guarded(shedder: Shedder, work: Work): Handler {
  return async ({ url = "/", headers }, response) => {
    const priority = headers["x-priority"] as Priority;
    const exempt = url === PATHS.health;
    using admission = await shedder.admit({ priority, deadline: DEADLINE, exempt });
    if (!admission.ok) refuse(admission, response);
    else {
      if (url === PATHS.announced) announce(admission);
      await respond(url, { response, work });
      admission.done();
    }
  };
}

function refuse({ retryAfter }: Admission, response: Response): void {
  response.statusCode = 503;
  response.setHeader("retry-after", Math.ceil(retryAfter / 1000));
  response.end();
}

/** The same without a shedder. */
export function unguarded(work: Work): Handler {
  return ({ url = "/" }, response) => respond(url, { response, work });
}

type Means = { readonly response: Response; readonly work: Work };

/** Does what the path is for. */
async function respond(path: string, { response, work }: Means): Promise<void> {
  if (path === PATHS.stream || path === PATHS.announced) return await stream(response);
  if (path !== PATHS.health) await work();
  response.end("done");
}
