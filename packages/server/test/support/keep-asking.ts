/** Clients that keep their connections busy, and count what becomes of every request. */
import { connect } from "node:net";

/** What became of the requests of all clients. */
export type Count = {
  /** Answers by their status. */
  readonly statuses: Map<number, number>;
  /** Requests without an answer. */
  unanswered: number;
  /** Connections that ended with an error, such as a reset. */
  errors: string[];
  /** Connections that ended after an answer with `Connection: close`. */
  closed: number;
  /** The least that an answer said to be left. */
  remaining: number;
};

export type Clients = {
  readonly port: number;
  /** How many there are, each with a connection of its own and one request at a time. */
  readonly clients: number;
  /** The bytes of one request. */
  readonly request: string;
  /** Milliseconds between an answer and the next request. Default: none. */
  readonly pause?: number;
};

/** Asks on every connection until it is closed. */
export async function keepAsking({ clients, ...each }: Clients): Promise<Count> {
  const count: Count = {
    statuses: new Map(),
    unanswered: 0,
    errors: [],
    closed: 0,
    remaining: Number.POSITIVE_INFINITY,
  };
  const all = Array.from({ length: clients }, () => keepOneAsking(each, count));
  await Promise.all(all);
  return count;
}

function keepOneAsking(
  { port, request, pause = 0 }: Omit<Clients, "clients">,
  count: Count,
): Promise<unknown> {
  const socket = connect({ port, host: "127.0.0.1" }).setEncoding("latin1");
  let received = "";
  let isWaiting = true;
  const ask = () => {
    if (socket.readyState !== "open") return;
    isWaiting = true;
    socket.write(request);
  };
  socket.on("connect", () => socket.write(request));
  socket.on("data", (text: string) => {
    received += text;
    const answer = readAnswer(received);
    if (answer === undefined) return;
    received = "";
    count.statuses.set(answer.status, (count.statuses.get(answer.status) ?? 0) + 1);
    count.remaining = Math.min(count.remaining, answer.remaining);
    isWaiting = !answer.isLast && pause === 0;
    if (answer.isLast) count.closed++;
    else if (pause === 0) socket.write(request);
    else setTimeout(ask, pause);
  });
  socket.on("error", ({ message }) => count.errors.push(message));
  return new Promise<void>((resolve) => {
    socket.on("close", () => {
      if (isWaiting) count.unanswered++;
      resolve();
    });
  });
}

const ANSWER = /^HTTP\/1\.1 (\d+) .*?\r\ncontent-length: (\d+)\r\n.*?\r\n\r\n/is;

type Answer = { readonly status: number; readonly isLast: boolean; readonly remaining: number };

/** The one answer that a text holds, or undefined where it is not complete. */
function readAnswer(text: string): Answer | undefined {
  const [head = "", status = "", length = ""] = ANSWER.exec(text) ?? [];
  if (head === "" || text.length < head.length + Number(length)) return undefined;
  const isLast = /^connection: close\r$/im.test(head);
  const { remaining } = JSON.parse(text.slice(head.length));
  return { status: Number(status), isLast, remaining };
}

/** A request as its bytes; it may announce a longer body than it has. */
export function requestOf(path: string, body: unknown, length?: number): string {
  const text = JSON.stringify(body);
  const fields = `host: localhost\r\ncontent-type: application/json\r\ncontent-length: ${length ?? text.length}`;
  return `POST ${path} HTTP/1.1\r\n${fields}\r\n\r\n${text}`;
}
