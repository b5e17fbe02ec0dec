/** HTTP as bytes on sockets, for what no client would send. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";

type Place = { readonly url: string };

/** Connects, and ignores how that ends. */
export async function connectTo({ url }: Place): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}

/** Sends bytes, and returns all that comes back until the server ends the connection. */
export async function exchange(place: Place, bytes: string | Uint8Array): Promise<string> {
  const socket = await connectTo(place);
  socket.write(bytes);
  return text(socket);
}

type Fields = Readonly<Record<string, string>>;

/** A request without a body. */
export function getText(path: string, fields: Fields = {}): string {
  return `GET ${path} HTTP/1.1\r\n${fieldLines({ Host: "localhost", ...fields })}\r\n`;
}

/** A request with a body of JSON. */
export function postText(path: string, body: unknown, fields: Fields = {}): string {
  const json = JSON.stringify(body);
  const own = { "Content-Type": "application/json", "Content-Length": String(json.length) };
  const all = fieldLines({ Host: "localhost", ...own, ...fields });
  return `POST ${path} HTTP/1.1\r\n${all}\r\n${json}`;
}

function fieldLines(fields: Fields): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
}

/** The statuses of the answers among some bytes, in order. */
export function statusesOf(bytes: string): readonly number[] {
  return [...bytes.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}
