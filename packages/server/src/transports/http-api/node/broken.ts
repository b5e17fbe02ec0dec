/** Requests that are no HTTP, answered with problems like all others. */
import { maxHeaderSize, type RequestListener, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { afterDelay } from "spillway/support";
import { RequestError } from "../../../service/index.ts";
import { PROBLEM_TYPE, problemJson } from "../problems.ts";
import type { Connection } from "./connection.ts";

/** How Node calls a request that took too long to arrive. */
const LATE = "ERR_HTTP_REQUEST_TIMEOUT";
/** How long a client may take to read why it is cut, in milliseconds. */
const LINGER = 1000;

/** Refuses requests of HTTP/1.1 that name no host, as HTTP wants it. */
export function refuseHostless(handle: RequestListener): RequestListener {
  return (request, response) => {
    if (request.headers.host !== undefined || request.httpVersion !== "1.1") {
      return handle(request, response);
    }
    const problem = badRequest("Found no header Host, which HTTP/1.1 demands");
    response.statusCode = problem.status;
    response.setHeader("content-type", PROBLEM_TYPE).setHeader("connection", "close");
    response.end(JSON.stringify(problemJson(problem)));
  };
}

/** Says what is wrong, and ends the connection, after the answers to the requests before. */
export function endBroken(
  error: NodeJS.ErrnoException,
  socket: Socket,
  { connection, requestTimeout }: { connection: Connection | undefined; requestTimeout: number },
): void {
  // The client is gone, or will be when it has its last answer: nobody would read an answer.
  if (error.code === "ECONNRESET") socket.destroy();
  if (!socket.writable) return;
  const end = () => sendProblem(socket, problemOf(error.code));
  // Its time went by while it was not read; Node times it no more.
  if (error.code === LATE && connection?.isHeldUp) connection.allow(requestTimeout, end);
  else connection?.end(end);
}

/** Raw, for there is no response where there was no request. */
function sendProblem(socket: Socket, problem: RequestError): void {
  if (!socket.writable) return;
  const body = JSON.stringify(problemJson(problem));
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    "Connection: close",
    `Content-Type: ${PROBLEM_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  // Closed at once, with some of the request unread, the client might never see the answer.
  afterDelay(LINGER, () => socket.destroy());
}

function problemOf(code: string | undefined): RequestError {
  if (code === LATE) {
    const detail = "The request took too long to arrive, expected all of it sooner";
    return new RequestError({ status: 408, code: "request-timeout", detail });
  }
  if (code === "HPE_HEADER_OVERFLOW") {
    const detail = `Found larger headers, expected at most ${maxHeaderSize} bytes of them`;
    return new RequestError({ status: 431, code: "headers-too-large", detail });
  }
  if (code === "HPE_CHUNK_EXTENSIONS_OVERFLOW") {
    const detail = "Found larger chunk extensions, expected at most 16384 bytes of them";
    return new RequestError({ status: 413, code: "body-too-large", detail });
  }
  return badRequest("Found what is not HTTP/1.1");
}

function badRequest(detail: string): RequestError {
  return new RequestError({ status: 400, code: "bad-request", detail });
}
