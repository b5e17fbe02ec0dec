import { placeOf, stopper } from "../../internal/index.ts";
import {
  afterDelay,
  type Command,
  masked,
  printable,
  SpillwayError,
} from "../../limits/core/index.ts";
import { type Executor, type Outcome, PortError } from "../index.ts";
import { outcomesOf } from "./decode.ts";
import { requestOf } from "./encode.ts";
import type { Send, ServiceResponse } from "./host.ts";

/** What an executor works with. */
export type ServiceExecutorSettings = {
  /** Where commands are sent. */
  readonly url: string;
  readonly prefix: string;
  readonly token: string | undefined;
  readonly fetch: Send;
};

/** Milliseconds after which a request is given up, long after anybody waited: it would keep a socket. */
const GIVE_UP = 10_000;
/** The most characters that are shown of what came in place of outcomes. */
const SHOWN = 300;

/** Carries out commands in a service: each request is one POST, which is sent once and never again. */
export class ServiceExecutor implements Executor<"later"> {
  readonly mode = "later";
  readonly name = "service";
  readonly place: string;
  // Enough to share what an HTTP request costs, and few enough that answers of a turn are not late.
  readonly mostBudgets = 256;
  // Some requests of that size under way, or a hundred small ones, each of which has a connection.
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

  async execute(commands: readonly Command[]): Promise<readonly Outcome[]> {
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
        // Another place must not get the token, and would not be sent the body.
        redirect: "manual",
        signal,
      });
      if (response.status === 200) return await response.json();
      throw this.#failure(response.status, await shownBody(response));
    } finally {
      cancel();
    }
  }

  /** Why a service has not carried out commands. A mistake in how it is called is no outage of it. */
  #failure(status: number, body: string): Error {
    const { url } = this.#settings;
    if (status === 400 || status === 413) return new PortError(`${url} answers ${status}: ${body}`);
    const advice = ADVICE[status];
    // Before the body, which may be long.
    return new Error(`${url} answers ${status}${advice ? `. ${advice}` : ""}: ${body}`);
  }
}

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

/** States are copied for caches and shards, both of which the service has itself. */
const NO_COPIES: Outcome = {
  error: new SpillwayError({
    code: "bad-store",
    field: "verb",
    value: "peek",
    expected: "a command that a service carries out",
    hint: "Caches and shards are the service's own: put none over this store",
  }),
};
