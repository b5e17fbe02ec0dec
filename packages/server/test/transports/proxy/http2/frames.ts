/** HTTP/2 as frames on a socket, for what no client would send. */
import { once } from "node:events";
import { connect as connectTcp, type Socket } from "node:net";
import { connect, type TLSSocket } from "node:tls";
import { tlsTo } from "./scene.ts";

export const TYPE = {
  data: 0,
  headers: 1,
  reset: 3,
  settings: 4,
  ping: 6,
  goaway: 7,
  window: 8,
  continuation: 9,
};
export const FLAG = { ack: 1, endStream: 1, endHeaders: 4 };

export type Frame = {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
};

export type Field = readonly [name: string, value: string];

/** Writes a frame. */
export function frame({ type, flags = 0, stream = 1, payload = Buffer.alloc(0) }: Partial<Frame>) {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type ?? 0;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** Writes fields without any compression (RFC 7541, 6.2.2). */
export function fieldBlock(fields: readonly Field[]): Buffer {
  const parts = fields.flatMap(([name, value]) => [Buffer.of(0), textOf(name), textOf(value)]);
  return Buffer.concat(parts);
}

/** A length with a prefix of seven bits, and the bytes. */
function textOf(text: string): Buffer {
  const bytes = Buffer.from(text, "latin1");
  const head: number[] = [Math.min(bytes.length, 127)];
  if (bytes.length >= 127) {
    let left = bytes.length - 127;
    for (; left >= 128; left >>= 7) head.push((left & 127) | 128);
    head.push(left);
  }
  return Buffer.concat([Buffer.from(head), bytes]);
}

/** The head of a request, in one frame. */
export function headers(fields: readonly Field[], { isLast = true, stream = 1 } = {}): Buffer {
  const flags = FLAG.endHeaders | (isLast ? FLAG.endStream : 0);
  return frame({ type: TYPE.headers, flags, stream, payload: fieldBlock(fields) });
}

/** A connection of frames, after its settings. */
export class Frames<S extends Socket = TLSSocket> {
  readonly socket: S;
  readonly received: Frame[] = [];
  #bytes = Buffer.alloc(0);
  isClosed = false;

  /** Use `openFrames`. */
  constructor(socket: S) {
    this.socket = socket;
    socket.on("error", () => {});
    socket.once("close", () => {
      this.isClosed = true;
    });
    socket.on("data", (chunk: Buffer) => this.#read(chunk));
  }

  /** Waits for a frame of a stream; undefined if the connection closes before. */
  async next(matches: (one: Frame) => boolean): Promise<Frame | undefined> {
    for (;;) {
      const found = this.received.find(matches);
      if (found !== undefined || this.isClosed) return found;
      await Promise.race([once(this.socket, "data"), once(this.socket, "close")]);
    }
  }

  #read(chunk: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    while (this.#bytes.length >= 9) {
      const end = 9 + this.#bytes.readUIntBE(0, 3);
      if (this.#bytes.length < end) return;
      const [type = 0, flags = 0] = [this.#bytes[3], this.#bytes[4]];
      const stream = this.#bytes.readUInt32BE(5) & 0x7fffffff;
      this.received.push({ type, flags, stream, payload: this.#bytes.subarray(9, end) });
      this.#bytes = this.#bytes.subarray(end);
    }
  }
}

const PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

type FramesOptions = {
  /** Whether the client admits as much as it can, on each stream and on the connection. */
  readonly admitsAll?: boolean;
  /** Whether the client leaves its side open after the server has closed its own. */
  readonly allowHalfOpen?: boolean;
};

/** The initial window of streams, as a setting, and what the one of the connection lacks. */
const LARGEST = Buffer.of(0, 4, 0x7f, 0xff, 0xff, 0xff);
const GROWTH = Buffer.of(0x7f, 0xff, 0, 0);

/** Connects to a proxy by TLS, and sends the settings. */
export async function openFrames(
  url: string,
  { admitsAll = false, allowHalfOpen = false }: FramesOptions = {},
): Promise<Frames> {
  const { port, host, ...tls } = tlsTo(url);
  const raw = connectTcp({ port, host, allowHalfOpen });
  const socket = connect({ ...tls, socket: raw, ALPNProtocols: ["h2"] });
  await once(socket, "secureConnect");
  return speak(socket, { admitsAll });
}

/** Begins HTTP/2 on a connection: sends the settings, and reads those of the server. */
export async function speak<S extends Socket>(
  socket: S,
  { admitsAll = false }: Pick<FramesOptions, "admitsAll"> = {},
): Promise<Frames<S>> {
  const frames = new Frames(socket);
  socket.write(PREFACE);
  const payload = admitsAll ? LARGEST : Buffer.alloc(0);
  socket.write(frame({ type: TYPE.settings, stream: 0, payload }));
  if (admitsAll) socket.write(frame({ type: TYPE.window, stream: 0, payload: GROWTH }));
  await frames.next(({ type }) => type === TYPE.settings);
  socket.write(frame({ type: TYPE.settings, flags: FLAG.ack, stream: 0 }));
  return frames;
}

/** The status in a head of a response, if Node writes it by its number in the static table. */
export function statusIn({ payload }: Frame): number | undefined {
  return { 136: 200, 137: 204, 140: 400, 141: 404, 142: 500 }[payload[0] as number];
}
