/** Follows the rules of a running service by asking for them at short intervals. */
import { SECOND } from "spillway/core";
import { afterDelay } from "spillway/support";
import { parseRules } from "../../rules/index.ts";
import { systemRandom } from "../../service/index.ts";
import { parseAside } from "../reload/index.ts";
import { type ServiceRules, ServiceRulesReader } from "./fetch-rules.ts";
import type { RulesReceiver, Watched } from "./from-files.ts";

/** Milliseconds between an answer and the next request, before the random part. */
const PAUSE = 400;
/** The longest pause while the service gives no answer. */
const LONGEST_PAUSE = 10 * SECOND;
/** The random part of a pause, so that programs do not ask all at once. */
const SPREAD = 0.4;

/** The service has checked its files by its own options, so all that those allow is allowed. */
const PARSE = { mergeDomains: true };

export type ServiceWatchOptions<T> = RulesReceiver<T> & { readonly token: string | undefined };

/** @throws RulesError, CommandError */
export async function watchedService<T>(
  url: string,
  options: ServiceWatchOptions<T>,
): Promise<Watched<T>> {
  const reader = new ServiceRulesReader(url, options.token);
  const rules = (await reader.read()) as ServiceRules;
  const kept = options.first(parseRules(rules.files, PARSE));
  const poll = new ServicePoll(reader, kept, options);
  poll.note(rules);
  return { kept, stop: () => poll.close() };
}

class ServicePoll<T> {
  readonly #reader: ServiceRulesReader;
  readonly #kept: T;
  readonly #receiver: RulesReceiver<T>;
  #failures = 0;
  #isOpen = true;
  #cancel = () => {};

  constructor(reader: ServiceRulesReader, kept: T, receiver: RulesReceiver<T>) {
    this.#reader = reader;
    this.#kept = kept;
    this.#receiver = receiver;
    this.#plan();
  }

  /** Notes whether the service itself uses other rules than its files have. */
  note({ trouble }: ServiceRules): void {
    const text = trouble && `the service uses previous rules, because of its files:\n${trouble}`;
    this.#receiver.troubles.set("service", text);
  }

  close(): void {
    this.#isOpen = false;
    this.#cancel();
    this.#reader.close();
  }

  #plan(): void {
    if (!this.#isOpen) return;
    const pause = Math.min(LONGEST_PAUSE, PAUSE * 2 ** this.#failures);
    const wait = pause * (1 + SPREAD * systemRandom());
    this.#cancel = afterDelay(wait, () => void this.#poll().then(() => this.#plan()));
  }

  async #poll(): Promise<void> {
    const { troubles } = this.#receiver;
    try {
      const rules = await this.#reader.read();
      this.#failures = 0;
      troubles.set("connection", undefined);
      if (rules !== undefined) await this.#use(rules);
    } catch (error) {
      this.#failures = Math.min(this.#failures + 1, 10);
      troubles.set("connection", (error as Error).message);
    }
  }

  /** Rules that can't be used are read only once: the service has them until they change. */
  async #use(rules: ServiceRules): Promise<void> {
    const { next, troubles } = this.#receiver;
    this.note(rules);
    try {
      const { rules: parsed } = await parseAside(rules.files, PARSE);
      await next(this.#kept, parsed);
      troubles.set("rules", undefined);
    } catch (error) {
      troubles.set("rules", (error as Error).message);
    }
  }
}
