/** Answers malformed requests with problem documents, as all others. */
import { maxHeaderSize, type RequestListener, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { afterDelay } from "spillway/support";
import { RequestError } from "../../../service/index.ts";
import { PROBLEM_TYPE, problemJson } from "../problems.ts";
import type { HttpConnection } from "./connection.ts";

/** Node's code for a request that took too long to arrive. */
const LATE = "ERR_HTTP_REQUEST_TIMEOUT";
/** How long a client may take to read why it is cut, in milliseconds. */
const LINGER = 1000;

/** Refuses HTTP/1.1 requests without a host, as HTTP requires. */
export function refuseHostless(handle: RequestListener): RequestListener {
  return (request, response) => {
    if (request.headers.host !== undefined || request.httpVersion !== "1.1") {
      return handle(request, response);
    }
    const problem = badRequest("Found no header Host, expected one, as HTTP/1.1 requires");
    response.statusCode = problem.status;
    response.setHeader("content-type", PROBLEM_TYPE).setHeader("connection", "close");
    response.end(JSON.stringify(problemJson(problem)));
  };
}

/** Reports what is wrong and ends the connection, after the responses to earlier requests. */
export function endBroken(
  error: NodeJS.ErrnoException,
  socket: Socket,
  {
    connection,
    requestTimeout,
  }: { connection: HttpConnection | undefined; requestTimeout: number },
): void {
  // The client has disconnected, or will after its last response, so it would not read a response.
  if (error.code === "ECONNRESET") socket.destroy();
  if (!socket.writable) return;
  const end = () => sendProblem(socket, problemOf(error.code));
  // The time passed while reading was paused, and Node does not measure it again.
  if (error.code === LATE && connection?.isHeldUp) connection.allow(requestTimeout, end);
  else connection?.end(end);
}

/** Written to the socket, because there is no response object without a request. */
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
  // If the connection closed at once, with unread bytes, the client might never see the response.
  afterDelay(LINGER, () => socket.destroy());
}

function problemOf(code: string | undefined): RequestError {
  if (code === LATE) {
    const detail = "Found an incomplete request at its deadline, expected all of it sooner";
    return new RequestError({ status: 408, code: "request-timeout", detail });
  }
  if (code === "HPE_HEADER_OVERFLOW") {
    const detail = `Found too many bytes of headers, expected at most ${maxHeaderSize}`;
    return new RequestError({ status: 431, code: "headers-too-large", detail });
  }
  if (code === "HPE_CHUNK_EXTENSIONS_OVERFLOW") {
    const detail = "Found too many bytes of chunk extensions, expected at most 16384";
    return new RequestError({ status: 413, code: "body-too-large", detail });
  }
  return badRequest("Found an invalid request, expected HTTP/1.1");
}

function badRequest(detail: string): RequestError {
  return new RequestError({ status: 400, code: "bad-request", detail });
}
