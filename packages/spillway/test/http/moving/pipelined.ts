/** Requests that arrive together: all are sent on one connection before any is answered. */
import { connect } from "node:net";
import { text } from "node:stream/consumers";

/** Sends GETs with a header `x-user` at once, and returns the statuses of their answers in order. */
export async function pipelined(url: string, users: readonly string[]): Promise<number[]> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(users.map((user, index) => request(user, index === users.length - 1)).join(""));
  const answers = await text(socket);
  return [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
}

function request(user: string, isLast: boolean): string {
  const end = isLast ? "connection: close\r\n" : "";
  return `GET / HTTP/1.1\r\nhost: localhost\r\nx-user: ${user}\r\n${end}\r\n`;
}
