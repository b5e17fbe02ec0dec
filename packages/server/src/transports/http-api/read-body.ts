/** The bodies of requests, as they arrive. */
import type { IncomingMessage } from "node:http";
import type { FastifyRequest } from "fastify";
import { RequestError } from "../../service/index.ts";
import type { HeldBytes, HeldMessage } from "../intake/index.ts";
import { retryAfterHeader } from "./refuse.ts";

/** The longest body, in bytes, where a route says nothing else. */
export const LONGEST_BODY = 64 * 1024;

/** How bodies are kept. */
export type BodyIntake = {
  /** Bounds what those of all connections hold. */
  readonly held: HeldBytes;
  /** Is called each time that a body is refused for the sake of others. */
  readonly onDropped: () => void;
};

/** Reads a body; without an intake it is only waited for, and comes out empty. @throws RequestError */
export function readBody(
  { headers, routeOptions }: FastifyRequest,
  payload: IncomingMessage,
  intake: BodyIntake | undefined,
): Promise<Buffer> {
  const { bodyLimit: longest = LONGEST_BODY } = routeOptions;
  const due = Number(headers["content-length"]);
  if (due > longest) return Promise.reject(tooLarge(longest));
  return new Promise((resolve, reject) => {
    const body = new Body({ longest, due, intake, resolve, reject });
    payload.on("data", (part: Buffer) => body.add(part));
    payload.on("end", () => body.end());
    payload.on("error", () => body.fail(CUT));
  });
}

type BodyOptions = {
  readonly longest: number;
  /** How long it is going to be; NaN where nobody knows. */
  readonly due: number;
  readonly intake: BodyIntake | undefined;
  readonly resolve: (body: Buffer) => void;
  readonly reject: (error: RequestError) => void;
};

const NONE = Buffer.alloc(0);

class Body {
  readonly #options: BodyOptions;
  #length = 0;
  /** All of it, where it came at once: mostly it does. */
  #whole: Buffer = NONE;
  /** The bytes that have come, if it comes in parts. */
  #held: HeldMessage | undefined;
  #isOver = false;

  constructor(options: BodyOptions) {
    this.#options = options;
  }

  add(part: Buffer): void {
    if (this.#isOver) return;
    const { longest, due, intake } = this.#options;
    this.#length += part.length;
    if (this.#length > longest) this.fail(tooLarge(longest));
    else if (intake === undefined) return;
    else if (part.length === due) this.#whole = part;
    else this.#keep(part, intake);
  }

  end(): void {
    if (this.#isOver) return;
    this.#options.resolve(this.#held?.bytes ?? this.#whole);
    this.#finish();
  }

  fail(error: RequestError): void {
    if (this.#isOver) return;
    this.#options.reject(error);
    this.#finish();
  }

  #keep(part: Buffer, { held, onDropped }: BodyIntake): void {
    const { longest } = this.#options;
    this.#held ??= held.begin({
      longest,
      onDropped: () => {
        onDropped();
        this.fail(DROPPED);
      },
    });
    this.#held.add(part);
  }

  #finish(): void {
    this.#isOver = true;
    this.#held?.release();
  }
}

function tooLarge(longest: number): RequestError {
  const detail = `Found a larger body, expected at most ${longest} bytes`;
  return new RequestError({ status: 413, code: "body-too-large", detail });
}

/** Nobody will read it. */
const CUT = new RequestError({
  status: 400,
  code: "bad-request",
  detail: "Found half of a body, expected all of it",
});

const DROPPED = new RequestError({
  status: 503,
  code: "too-many-unfinished",
  detail:
    "Found too many unfinished messages on all connections, of which this is the oldest; " +
    "send it again, in one piece",
  headers: retryAfterHeader(1000),
});
