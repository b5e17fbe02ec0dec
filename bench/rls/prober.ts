/** Asks again and again by gRPC, one call at a time, and measures each. */
import { type ClientHttp2Session, connect } from "node:http2";
import { performance } from "node:perf_hooks";
import { GRPC, METHOD } from "./question.ts";

export class Prober implements Disposable {
  readonly #session: ClientHttp2Session;

  constructor(port: number) {
    this.#session = connect(`http://127.0.0.1:${port}`);
  }

  /** Microseconds of each call that was made while something was going on. */
  async during(something: () => Promise<unknown>): Promise<number[]> {
    const times: number[] = [];
    let isOver = false;
    const done = something().finally(() => {
      isOver = true;
    });
    while (!isOver) times.push(Math.round(await this.#time(GRPC)));
    await done;
    return times;
  }

  async #time(body: Buffer): Promise<number> {
    const start = performance.now();
    await this.ask(body);
    return (performance.now() - start) * 1000;
  }

  /** @throws Error where the answer is no decision */
  ask(body: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      const stream = this.#session.request({
        ":method": "POST",
        ":path": METHOD,
        "content-type": "application/grpc",
        te: "trailers",
      });
      stream.on("trailers", ({ "grpc-status": status }) => {
        if (status === "0") resolve();
        else reject(new Error(`a call ended with status ${status}`));
      });
      stream.on("error", reject);
      stream.resume();
      stream.end(body);
    });
  }

  [Symbol.dispose](): void {
    this.#session.destroy();
  }
}
