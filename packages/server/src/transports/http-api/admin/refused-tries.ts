/** Writes refused changes into the audit log, and bounds what strangers can write there. */
import type { FastifyRequest } from "fastify";
import { type Clock, MINUTE } from "spillway/core";
import type { Administration } from "../../../service/index.ts";
import { RequestError } from "../../../service/index.ts";
import { type AdminGuard, describeRefused } from "./caller.ts";

type RefusedTriesOptions = {
  readonly administration: Pick<Administration, "noteRefusal">;
  readonly guard: AdminGuard;
  readonly clock: Clock;
};

/** Codes of refusals before the caller is known. */
const OF_STRANGERS: ReadonlySet<string> = new Set([
  "token-required",
  "foreign-origin",
  "foreign-host",
]);

export class RefusedTries {
  readonly #options: RefusedTriesOptions;
  #quietUntil = Number.NEGATIVE_INFINITY;
  #leftOut = 0;

  constructor(options: RefusedTriesOptions) {
    this.#options = options;
  }

  /**
   * Writes a refused change. Of callers without a valid token, one a minute is written, with the
   * number of those before it: they must not push out the entries of administrators.
   */
  async note(error: Error, request: FastifyRequest): Promise<void> {
    const { change } = request.routeOptions.config;
    if (change === undefined || !(error instanceof RequestError)) return;
    // The administration has written it, with what it was about to do.
    if (error.code === "unavailable") return;
    const { administration, guard } = this.#options;
    const counted = OF_STRANGERS.has(error.code) ? this.#throttled(error) : error;
    if (counted === undefined) return;
    const by = describeRefused(request, guard);
    await administration.noteRefusal({ what: change, by, body: request.body, error: counted });
  }

  #throttled(error: RequestError): RequestError | undefined {
    const now = this.#options.clock();
    if (now < this.#quietUntil) {
      this.#leftOut++;
      return undefined;
    }
    this.#quietUntil = now + MINUTE;
    const leftOut = this.#leftOut;
    this.#leftOut = 0;
    if (leftOut === 0) return error;
    const { status, code, message } = error;
    const detail = `${message}. ${leftOut} more such requests since the entry before`;
    return new RequestError({ status, code, detail });
  }
}
