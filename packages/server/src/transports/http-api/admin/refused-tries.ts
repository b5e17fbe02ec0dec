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

/** Codes of refusals before the caller is known, and of those who may only read. */
const BOUNDED = [["token-required", "foreign-origin", "foreign-host"], ["wrong-token"]] as const;

export class RefusedTries {
  readonly #options: RefusedTriesOptions;
  /** Each group is counted apart, so that strangers can't hide the tries of readers. */
  readonly #bounds = new Map<string, Bound>();

  constructor(options: RefusedTriesOptions) {
    this.#options = options;
    for (const codes of BOUNDED) {
      const bound = new Bound(options.clock);
      for (const code of codes) this.#bounds.set(code, bound);
    }
  }

  /**
   * Writes a refused change. Of callers without a valid token, one a minute is written, with the
   * number of those before it: they must not push out the entries of administrators. The same holds
   * for callers with the token to read.
   */
  async note(error: Error, request: FastifyRequest): Promise<void> {
    const { change } = request.routeOptions.config;
    if (change === undefined || !(error instanceof RequestError)) return;
    const { administration, guard } = this.#options;
    const counted = this.#bounds.has(error.code)
      ? this.#bounds.get(error.code)?.pass(error)
      : error;
    if (counted === undefined) return;
    const by = describeRefused(request, guard);
    await administration.noteRefusal({ what: change, by, body: request.body, error: counted });
  }
}

/** Passes one error a minute, with the number of those left out before it. */
class Bound {
  readonly #clock: Clock;
  #quietUntil = Number.NEGATIVE_INFINITY;
  #leftOut = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  pass(error: RequestError): RequestError | undefined {
    const now = this.#clock();
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
