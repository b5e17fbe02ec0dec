/** A worker, as the primary process sees it. */
import cluster, { type Worker } from "node:cluster";
import { afterDelay, elapsed } from "spillway/support";
import type { RuleFile } from "../../rules/index.ts";
import type { BudgetCall, KeyCounts, ModeSwitch, NoteDirect } from "../../service/index.ts";
import type { WorkerPage } from "../../telemetry/index.ts";
import type { AskRules } from "../../transports/http-api/index.ts";
import { CommandError } from "../command-error.ts";
import { WORKER } from "../options/index.ts";
import { closeUnconfirmed } from "./handed-over.ts";
import type { BudgetAnswer, FromWorker, ToWorker } from "./messages.ts";
import { refusalOf } from "./refusal-of.ts";
import { Replies } from "./replies.ts";

/** The settings that a worker starts with. */
export type WorkerSettings = Omit<Extract<ToWorker, { type: "start" }>, "type">;

/** Rules that a worker prepares. */
export type PreparedRules = {
  /** Resolves when the worker has prepared them, or has ended. */
  readonly prepared: Promise<void>;
  /** Puts the rules into use, and waits until that is done or the worker has ended. */
  readonly use: () => Promise<void>;
};

/** How long to wait for a worker's metrics, in milliseconds. */
const COUNTED = 2000;

/** How long to wait for a worker's part in a call of an administrator, in milliseconds. */
export const ANSWERED = 4000;

export class WorkerHandle {
  readonly number: number;
  readonly #worker: Worker;
  readonly #beginning: () => WorkerSettings;
  /** Resolves when the worker is able to listen; rejects if it ends before. */
  readonly ready: Promise<void>;
  /** Resolves with its lines when it listens; rejects if it ends before. */
  readonly serving: Promise<readonly string[]>;
  /** Resolves when it ends, with a description. */
  readonly ended: Promise<string>;
  /** Answers queries about the rules from its clients. */
  onAsk: AskRules | undefined;
  /** Collects the metrics of all workers. */
  onCount: (() => Promise<readonly WorkerPage[]>) | undefined;
  /** Writes changes by older calls of its clients into the audit log. */
  onNote: NoteDirect | undefined;
  readonly #counted = new Replies<string>();
  readonly #prepared = new Replies<void>();
  readonly #applied = new Replies<void>();
  readonly #switched = new Replies<true>();
  readonly #called = new Replies<BudgetAnswer>();
  readonly #keys = new Replies<KeyCounts>();
  #isReady = () => {};
  #isServing = (_lines: readonly string[]) => {};
  #failure: CommandError | undefined;
  #servesSince: number | undefined;
  #isLate = false;

  constructor(number: number, beginning: () => WorkerSettings) {
    this.number = number;
    this.#beginning = beginning;
    this.#worker = cluster.fork({ [WORKER]: String(number) });
    closeUnconfirmed(this.#worker.process);
    this.#worker.on("message", (message: FromWorker) => this.#hear(message));
    this.ended = new Promise((resolve) => {
      this.#worker.once("exit", (code, signal) => resolve(signal ?? `exit code ${code}`));
    });
    this.ready = this.#before((resolve) => {
      this.#isReady = resolve as () => void;
    });
    this.serving = this.#before((resolve) => {
      this.#isServing = resolve;
    });
  }

  get pid(): number {
    return this.#worker.process.pid ?? 0;
  }

  /** How long it has served, in milliseconds; undefined if it does not serve yet. */
  get served(): number | undefined {
    return this.#servesSince === undefined ? undefined : elapsed() - this.#servesSince;
  }

  /** Whether it owes an administrator's answer, and has been silent since. */
  get isLate(): boolean {
    return this.#isLate;
  }

  listen(): void {
    this.#send({ type: "listen" });
  }

  setTrouble(trouble: string | undefined): void {
    this.#send({ type: "trouble", trouble });
  }

  /** Asks the worker to stop. A second call ends its drain. */
  stop(why: string): void {
    this.#send({ type: "stop", why });
  }

  signal(name: NodeJS.Signals): void {
    this.#worker.process.kill(name);
  }

  kill(): void {
    this.#worker.process.kill("SIGKILL");
  }

  /** Sends new rules for the worker to prepare. They are used once `use` is called. */
  changeRules(files: readonly RuleFile[]): PreparedRules {
    const round = this.#prepared.next();
    const prepared = this.#prepared.to(round, this.ended);
    const applied = this.#applied.to(round, this.ended);
    this.#send({ type: "rules", files, round });
    const use = () => {
      this.#send({ type: "use", round });
      return applied;
    };
    return { prepared, use };
  }

  /** Returns its metrics; undefined if it has ended, or is too busy to answer. */
  async numbers(): Promise<WorkerPage | undefined> {
    const round = this.#counted.next();
    const late = new Promise<void>((resolve) => void afterDelay(COUNTED, resolve));
    const counted = this.#counted.to(round, Promise.race([late, this.ended]));
    this.#send({ type: "count", round });
    const text = await counted;
    return text === undefined ? undefined : { worker: this.number, text };
  }

  /** Sends modes. Returns whether it decides by them or has ended; false if it is late. */
  async setModes(switches: readonly ModeSwitch[]): Promise<boolean> {
    const ended = this.ended.then(() => true);
    const confirmed = this.#ask(this.#switched, (round) => ({ type: "modes", round, switches }));
    return Promise.race([ended, confirmed.then((reply) => reply === true)]);
  }

  /** Makes a call on budgets. Undefined if it is late or ended: it may have taken effect. */
  call(call: BudgetCall): Promise<BudgetAnswer | undefined> {
    return this.#ask(this.#called, (round) => ({ type: "budgets", round, call }));
  }

  /** Returns its most asked keys; undefined if it is late or has ended. */
  topKeys(): Promise<KeyCounts | undefined> {
    return this.#ask(this.#keys, (round) => ({ type: "keys", round }));
  }

  async #ask<T>(
    replies: Replies<T>,
    messageOf: (round: number) => ToWorker,
  ): Promise<T | undefined> {
    const round = replies.next();
    let cancel = () => {};
    const late = new Promise<void>((resolve) => {
      cancel = afterDelay(ANSWERED, () => {
        this.#isLate = true;
        resolve();
      });
    });
    const reply = replies.to(round, Promise.race([late, this.ended]));
    this.#send(messageOf(round));
    return reply.finally(cancel);
  }

  #hear(message: FromWorker): void {
    this.#isLate = false;
    if (message.type === "hello") this.#send({ type: "start", ...this.#beginning() });
    else if (message.type === "ready") this.#isReady();
    else if (message.type === "prepared") this.#prepared.receive(message.round);
    else if (message.type === "applied") this.#applied.receive(message.round);
    else if (message.type === "ask") void this.#answer(message);
    else if (message.type === "numbers") this.#counted.receive(message.round, message.text);
    else if (message.type === "count") void this.#count(message.round);
    else if (message.type === "switched") this.#switched.receive(message.round, true);
    else if (message.type === "called") this.#called.receive(message.round, message.answer);
    else if (message.type === "note") void this.#note(message);
    else if (message.type === "keys") this.#keys.receive(message.round, message.counts);
    else if (message.type === "failed") {
      this.#failure = new CommandError(message.code, message.message);
    } else {
      this.#servesSince = elapsed();
      this.#isServing(message.lines);
    }
  }

  async #answer({ round, query }: Extract<FromWorker, { type: "ask" }>): Promise<void> {
    const answer = await this.onAsk?.(query);
    if (answer !== undefined) this.#send({ type: "answer", round, answer });
  }

  async #note({ round, call }: Extract<FromWorker, { type: "note" }>): Promise<void> {
    this.#send({ type: "noted", round, refused: await refusalOf(async () => this.onNote?.(call)) });
  }

  async #count(round: number): Promise<void> {
    this.#send({ type: "counted", round, pages: (await this.onCount?.()) ?? [] });
  }

  #before<T>(begin: (resolve: (value: T) => void) => void): Promise<T> {
    const happened = new Promise<T>(begin);
    const failed = this.ended.then((how): never => {
      throw this.#failure ?? this.#ended(how);
    });
    const first = Promise.race([happened, failed]);
    // Waiting callers receive the error. Without such callers, it must not become an unhandled
    // rejection.
    first.catch(() => {});
    return first;
  }

  #ended(how: string): CommandError {
    return new CommandError("worker-failed", `worker ${this.number} ended while starting: ${how}`);
  }

  /** Messages to an ended worker are dropped. */
  #send(message: ToWorker): void {
    if (this.#worker.isConnected()) this.#worker.send(message, () => {});
  }
}
