/** Reads the bodies of requests as they arrive. */
import type { IncomingMessage } from "node:http";
import type { FastifyRequest } from "fastify";
import { RequestError } from "../../service/index.ts";
import type { HeldBytes, HeldMessage } from "../intake/index.ts";
import { retryAfterHeader } from "./refuse.ts";

/** The default for the longest body, in bytes. */
export const LONGEST_BODY = 64 * 1024;

/** How the bytes of bodies are kept. */
export type BodyIntake = {
  /** Bounds the bytes that bodies of all connections hold. */
  readonly held: HeldBytes;
  /** Called for each body that is refused to make room for others. */
  readonly onDropped: () => void;
};

/**
 * Reads a body. Without an intake it only waits for the end, and returns nothing. @throws
 * RequestError
 */
export function readBody(
  { headers, routeOptions }: FastifyRequest,
  payload: IncomingMessage,
  intake: BodyIntake | undefined,
): Promise<Buffer> {
  const { bodyLimit: longest = LONGEST_BODY } = routeOptions;
  const due = Number(headers["content-length"]);
  if (due > longest) return Promise.reject(tooLarge(longest));
  return new Promise((resolve, reject) => {
    const body = new BodyReader({ longest, due, intake, resolve, reject });
    payload.on("data", (part: Buffer) => body.add(part));
    payload.on("end", () => body.end());
    payload.on("error", () => body.fail(CUT));
  });
}

type BodyOptions = {
  readonly longest: number;
  /** The announced length; NaN if it is unknown. */
  readonly due: number;
  readonly intake: BodyIntake | undefined;
  readonly resolve: (body: Buffer) => void;
  readonly reject: (error: RequestError) => void;
};

const NONE = Buffer.alloc(0);

class BodyReader {
  readonly #options: BodyOptions;
  #length = 0;
  /** The whole body if it arrived at once, as most do. */
  #whole: Buffer = NONE;
  /** The bytes so far, if the body arrives in parts. */
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

/** The client has disconnected, so this is not read. */
const CUT = new RequestError({
  status: 400,
  code: "bad-request",
  detail: "Found an incomplete body, expected all of it",
});

const DROPPED = new RequestError({
  status: 503,
  code: "too-many-unfinished",
  detail:
    "Found too many bytes of unfinished messages on all connections, and this message is the " +
    "oldest; send it again, in one piece",
  headers: retryAfterHeader(1000),
});
