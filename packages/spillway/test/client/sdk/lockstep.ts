/**
 * Real sockets in virtual time: a server on this machine whose clock goes on only while nothing is on its way, so that
 * neither a slow machine nor a busy one changes what happens.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { VirtualScheduler } from "../virtual-scheduler.ts";

/** Bytes that have been written and read of one answer. */
type OnItsWay = { written: number; read: number; isEnded: boolean; isOver: boolean };

/** What a server receives, and how it answers; each function returns when it was called, in virtual time. */
export type Exchange = {
  readonly path: string;
  readonly body: string;
  head(status: number, headers: { readonly [name: string]: string }): void;
  write(text: string): void;
  end(text?: string): void;
};

const STEP = 5;
const NUMBER = "x-number";

export class Lockstep {
  readonly time = new VirtualScheduler();
  readonly #server: Server;
  readonly #answers = new Map<string, OnItsWay>();
  /** Requests and heads of answers that have been sent, and have not come. */
  #underWay = 0;
  #count = 0;

  constructor(serve: (exchange: Exchange) => void) {
    this.#server = createServer((request, response) => {
      void this.#receive(request, response).then(serve);
    });
  }

  async start(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }

  /** The network: `fetch`, which knows what is on its way. */
  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const number = String(this.#count++);
    const answer = { written: 0, read: 0, isEnded: false, isOver: false };
    this.#answers.set(number, answer);
    this.#underWay++;
    const headers = new Headers(init?.headers);
    headers.set(NUMBER, number);
    const response = await fetch(input, { ...init, headers });
    this.#underWay--;
    return new Response(watched(response, answer), response);
  };

  /** Goes on until a promise is settled. */
  async until<T>(promise: Promise<T>): Promise<T> {
    let isSettled = false;
    const settle = () => {
      isSettled = true;
    };
    promise.then(settle, settle);
    while (!isSettled) {
      await this.idle();
      if (!isSettled) await this.time.advance(STEP);
    }
    return promise;
  }

  /** Nothing is on its way any more. */
  async idle(): Promise<void> {
    for (let turns = 0; turns < 3; turns++) {
      await new Promise(setImmediate);
      if (this.#isBusy) turns = -1;
    }
  }

  get #isBusy(): boolean {
    if (this.#underWay > 0) return true;
    for (const [number, { written, read, isEnded, isOver }] of this.#answers) {
      if (isOver) this.#answers.delete(number);
      else if (read < written || isEnded) return true;
    }
    return false;
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<Exchange> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const answer = this.#answers.get(String(request.headers[NUMBER])) as OnItsWay;
    this.#underWay--;
    const write = (text: string) => {
      answer.written += Buffer.byteLength(text);
      response.write(text);
    };
    return {
      path: request.url ?? "",
      body: Buffer.concat(chunks).toString(),
      head: (status, headers) => {
        this.#underWay++;
        response.writeHead(status, headers).flushHeaders();
      },
      write,
      end: (text) => {
        if (text !== undefined) write(text);
        answer.isEnded = true;
        response.end();
      },
    };
  }
}

/** The same body, of which it is known how much has been read. */
function watched({ body }: Response, answer: OnItsWay): ReadableStream | null {
  if (body === null) return null;
  const reader = body.getReader();
  const pull = async (controller: ReadableStreamDefaultController) => {
    const { done, value } = await reader.read();
    answer.read += value?.length ?? 0;
    answer.isOver = done;
    if (done) controller.close();
    else controller.enqueue(value);
  };
  const cancel = (reason: unknown) => {
    answer.isOver = true;
    return reader.cancel(reason);
  };
  return new ReadableStream({ pull, cancel }, { highWaterMark: 0 });
}
