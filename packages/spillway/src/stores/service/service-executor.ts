import { placeOf, stopper } from "../../internal/index.ts";
import {
  afterDelay,
  type Command,
  masked,
  printable,
  SpillwayError,
} from "../../limits/core/index.ts";
import type { CommandOutcome, Executor } from "../index.ts";
import { RejectedRequest } from "../port/request.ts";
import { outcomesOf } from "./decode.ts";
import { requestOf } from "./encode.ts";
import type { SendRequest, ServiceResponse } from "./host.ts";

/** The settings of an executor. */
export type ServiceExecutorSettings = {
  /** The URL to which commands are sent. */
  readonly url: string;
  readonly prefix: string;
  readonly token: string | undefined;
  readonly fetch: SendRequest;
};

/**
 * Milliseconds after which a request is aborted, so that it does not hold a socket. The caller's
 * deadline is long over then.
 */
const GIVE_UP = 10_000;
/** The maximum number of characters to show of a response that is not a list of outcomes. */
const SHOWN = 300;

/**
 * Carries out commands in a service. Each request is one POST, which is sent once and never again.
 */
export class ServiceExecutor implements Executor<"later"> {
  readonly timing = "later";
  readonly name = "service";
  readonly place: string;
  // Enough commands to share the cost of an HTTP request, and few enough that their answers are not
  // late.
  readonly mostBudgets = 256;
  // A few requests of that size in flight, or a hundred small ones, each on a connection of its
  // own.
  readonly mostInFlight = 1024;
  readonly #settings: ServiceExecutorSettings;
  readonly #headers: { readonly [name: string]: string };

  constructor(settings: ServiceExecutorSettings) {
    this.#settings = settings;
    const { token, url } = settings;
    this.place = placeOf("service", { url });
    this.#headers = {
      "content-type": "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
  }

  async execute(commands: readonly Command[]): Promise<readonly CommandOutcome[]> {
    if (commands.some(({ verb }) => verb === "peek")) return commands.map(() => NO_COPIES);
    return outcomesOf(commands, await this.#post(requestOf(this.#settings.prefix, commands)));
  }

  async #post(request: object): Promise<unknown> {
    const { url, fetch } = this.#settings;
    const { signal, stop } = stopper();
    const cancel = afterDelay(GIVE_UP, () => stop(undefined));
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: this.#headers,
        body: JSON.stringify(request),
        // A redirect is not followed: another server must not receive the token, and would not
        // receive the body.
        redirect: "manual",
        signal,
      });
      if (response.status === 200) return await response.json();
      throw this.#failure(response.status, await shownBody(response));
    } finally {
      cancel();
    }
  }

  /**
   * Returns the error for a service that has not carried out commands. An invalid request is not an
   * outage of the service.
   */
  #failure(status: number, body: string): Error {
    const { url } = this.#settings;
    if (REJECTED.has(status)) return new RejectedRequest(`${url} responded ${status}: ${body}`);
    const advice = ADVICE[status];
    // The advice comes before the body, which may be long.
    return new Error(`${url} responded ${status}${advice ? `. ${advice}` : ""}: ${body}`);
  }
}

/** The request is invalid, or too large. */
const REJECTED: ReadonlySet<number> = new Set([400, 413]);

const ADVICE: { readonly [status: number]: string } = {
  401: "Pass the service's SPILLWAY_STORE_TOKEN as `token`",
  403: "Set SPILLWAY_STORE_TOKEN for the service, and pass it as `token`",
  404: "Is this the URL of `spillway serve`?",
  405: "Is this the URL of `spillway serve`?",
};

async function shownBody(response: ServiceResponse): Promise<string> {
  try {
    const text = await response.text();
    const detail = (JSON.parse(text) as { readonly detail?: unknown } | null)?.detail;
    return printable(masked(String(detail ?? text)), SHOWN);
  } catch {
    return "no problem document";
  }
}

/** A service does not copy states: only caches and shards need copies, and it has both itself. */
const NO_COPIES: CommandOutcome = {
  error: new SpillwayError({
    code: "bad-store",
    field: "verb",
    value: "peek",
    expected: "a command that a service carries out",
    hint: "The service has its own caches and shards: put none over this store",
  }),
};
