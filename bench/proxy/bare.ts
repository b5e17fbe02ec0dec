/** The least that a proxy of `node:http` and undici does: no checks, no limits, no time-outs. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type Dispatcher, Pool } from "undici";

export function bareProxy(to: string): Server {
  const pool = new Pool(to, { connections: 1000, pipelining: 1 });
  return createServer((request, response) => {
    const { method = "GET", url: path = "/", rawHeaders } = request;
    const hasBody = method !== "GET" && method !== "HEAD";
    pool.dispatch(
      {
        method: method as Dispatcher.HttpMethod,
        path,
        headers: passing(rawHeaders),
        body: hasBody ? request : null,
      },
      handler(request, response),
    );
  });
}

function handler(request: IncomingMessage, response: ServerResponse): Dispatcher.DispatchHandler {
  return {
    onRequestStart(controller) {
      response.once("close", () => {
        if (!response.writableFinished) controller.abort(new Error("the client has gone"));
      });
    },
    onResponseStart(controller, status) {
      const raw = controller.rawHeaders as readonly Buffer[];
      response.writeHead(status, passing(raw.map((part) => part.toString("latin1"))));
    },
    onResponseData(controller, chunk) {
      if (response.write(chunk)) return;
      controller.pause();
      response.once("drain", () => controller.resume());
    },
    onResponseEnd: () => void response.end(),
    onResponseError: () => void (response.headersSent ? response.destroy() : request.destroy()),
  };
}

/** Headers without those of the connection. */
function passing(raw: readonly string[]): string[] {
  const passing: string[] = [];
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] as string;
    if (!OWN.test(name)) passing.push(name, raw[index + 1] as string);
  }
  return passing;
}

const OWN = /^(?:connection|keep-alive|transfer-encoding)$/i;
