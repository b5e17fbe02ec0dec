/** The workers of a service: keeps their number and gives them the same rules. */
import { afterDelay, alarm } from "spillway/support";
import type { RuleFile } from "../../rules/index.ts";
import type { ModeSwitch, NoteDirect } from "../../service/index.ts";
import type { ServiceLogger, WorkerPage } from "../../telemetry/index.ts";
import type { AskRules, RulesAnswer } from "../../transports/http-api/index.ts";
import { CommandError } from "../command-error.ts";
import { BackOff } from "./back-off.ts";
import { WorkerHandle } from "./worker-handle.ts";

export type FleetOptions = {
  readonly workers: number;
  /** The first rule files. */
  readonly files: readonly RuleFile[];
  readonly log: ServiceLogger;
  /** Called when no worker serves, and starting others has failed repeatedly. */
  readonly onLost: (error: CommandError) => void;
};

/** Workers listen shortly before their primary process watches the rules. */
const NOT_YET: RulesAnswer = {
  type: "refused",
  code: "internal",
  detail: "The service is starting; try again",
};

/** After this many consecutive failures, with no worker serving, the service gives up. */
const MOST_FAILURES = 5;

/** How long workers wait for one that is not ready, in milliseconds. */
const PREPARED = 5000;

/** How long a change waits for workers that have not confirmed it, in milliseconds. */
const CONFIRMED = 5000;

export class Fleet {
  readonly #options: FleetOptions;
  readonly #backOffs: readonly BackOff[];
  readonly #members = new Map<number, WorkerHandle>();
  readonly #cancels = new Set<() => void>();
  #files: readonly RuleFile[];
  #trouble: string | undefined;
  #switches: readonly ModeSwitch[] = [];
  #isStopping = false;
  /** Writes changes by older calls of clients into the audit log; undefined without one. */
  onNote: NoteDirect | undefined;
  /** Answers queries about the rules from clients of any worker. */
  onAsk: AskRules | undefined;

  constructor(options: FleetOptions) {
    this.#options = options;
    this.#files = options.files;
    this.#backOffs = Array.from({ length: options.workers }, () => new BackOff());
  }

  /** The current processes. */
  get pids(): readonly number[] {
    return this.#all.map(({ pid }) => pid);
  }

  /**
   * Starts all workers. None listens before all are able to. Returns the lines of one of them.
   *
   * @throws CommandError if one can't start: then all are ended.
   */
  async start(): Promise<readonly string[]> {
    const members = this.#backOffs.map((_, index) => this.#fork(index + 1));
    try {
      await Promise.all(members.map(({ ready }) => ready));
      for (const member of members) member.listen();
      const [lines = []] = await Promise.all(members.map(({ serving }) => serving));
      for (const member of members) this.#watch(member);
      return lines;
    } catch (error) {
      this.#isStopping = true;
      for (const member of members) member.kill();
      await Promise.all(members.map(({ ended }) => ended));
      throw error;
    }
  }

  /**
   * Waits until all workers decide by new, checked rules, for a bounded time. One that hangs
   * follows once it answers, which is logged.
   *
   * No serving worker uses them before all are ready: units that one still holds under the previous
   * rules would count as used under the new ones.
   */
  async useRules(files: readonly RuleFile[]): Promise<void> {
    this.#files = files;
    const members = this.#all;
    const changes = members.map((member) => member.changeRules(files));
    const serving = changes.filter((_, index) => members[index]?.served !== undefined);
    await atMost(
      PREPARED,
      serving.map(({ prepared }) => prepared),
    );
    const pending = new Set(members);
    const used = changes.map(async ({ use }, index) => {
      await use();
      pending.delete(members[index] as WorkerHandle);
    });
    await atMost(CONFIRMED, used);
    for (const { number, pid } of pending) {
      const what = `worker ${number}, process ${pid}, has not confirmed the new rules`;
      this.#options.log.warn(`${what}: it uses them once it answers`);
    }
  }

  /** The modes that administrators have switched. */
  get switches(): readonly ModeSwitch[] {
    return this.#switches;
  }

  /**
   * Waits until all workers decide by these modes, for a bounded time. A worker that starts later
   * does so too. Returns the workers that have not confirmed it.
   */
  async setModes(switches: readonly ModeSwitch[]): Promise<readonly WorkerHandle[]> {
    this.#switches = switches;
    const members = this.#all;
    const confirmed = await Promise.all(members.map((member) => member.setModes(switches)));
    return members.filter((_, index) => !confirmed[index]);
  }

  /** The workers that serve. */
  get serving(): readonly WorkerHandle[] {
    return this.#all.filter(({ served }) => served !== undefined);
  }

  /** Sends a signal to all workers that serve. Starting ones may not handle it yet. */
  signal(name: NodeJS.Signals): void {
    for (const member of this.serving) member.signal(name);
  }

  setTrouble(trouble: string | undefined): void {
    this.#trouble = trouble;
    for (const member of this.#all) member.setTrouble(trouble);
  }

  /** Ends the drain of all workers, after `stop`. */
  hurry(why: string): void {
    for (const member of this.#all) member.stop(why);
  }

  /** Lets all workers finish. Returns how many had to be killed after `longest` milliseconds. */
  async stop(why: string, longest: number): Promise<number> {
    this.#isStopping = true;
    for (const cancel of this.#cancels) cancel();
    let killed = 0;
    await Promise.all(
      this.#all.map(async (member) => {
        member.stop(why);
        const cancel = alarm(longest, () => {
          killed++;
          member.kill();
        });
        await member.ended;
        cancel();
      }),
    );
    return killed;
  }

  get #all(): readonly WorkerHandle[] {
    return [...this.#members.values()];
  }

  #fork(number: number): WorkerHandle {
    const member = new WorkerHandle(number, () => ({
      files: this.#files,
      trouble: this.#trouble,
      switches: this.#switches,
    }));
    member.onAsk = async (query) => this.onAsk?.(query) ?? NOT_YET;
    member.onCount = () => this.#numbers();
    member.onNote = async (call) => this.onNote?.(call);
    this.#members.set(number, member);
    return member;
  }

  async #numbers(): Promise<readonly WorkerPage[]> {
    const pages = await Promise.all(this.#all.map((member) => member.numbers()));
    return pages.filter((page) => page !== undefined);
  }

  /** Replaces a worker when it ends. */
  async #watch(member: WorkerHandle): Promise<void> {
    const how = await member.ended;
    this.#members.delete(member.number);
    if (this.#isStopping) return;
    const { number, served = 0 } = member;
    const backOff = this.#backOffs[number - 1] as BackOff;
    const pause = backOff.next(served);
    const what = `worker ${number}, process ${member.pid}, has ended (${how})`;
    if (backOff.failures > MOST_FAILURES && !this.#doesAnyServe) return this.#giveUp(what);
    this.#options.log.warn(`${what}: a new one starts in ${pause} ms`);
    const cancel = alarm(pause, () => {
      this.#cancels.delete(cancel);
      void this.#replace(number);
    });
    this.#cancels.add(cancel);
  }

  get #doesAnyServe(): boolean {
    return this.serving.length > 0;
  }

  #giveUp(what: string): void {
    this.#isStopping = true;
    for (const cancel of this.#cancels) cancel();
    for (const member of this.#all) member.kill();
    this.#options.onLost(new CommandError("worker-failed", `${what}, and no worker is left`));
  }

  async #replace(number: number): Promise<void> {
    const member = this.#fork(number);
    void this.#watch(member);
    const { warn, info } = this.#options.log;
    try {
      await member.ready;
      member.listen();
      await member.serving;
      info(`worker ${number} serves again, as process ${member.pid}`);
    } catch (error) {
      warn(`worker ${number} can't start: ${(error as Error).message}`);
    }
  }
}

async function atMost(ms: number, all: readonly Promise<void>[]): Promise<void> {
  let cancel = () => {};
  const late = new Promise<void>((resolve) => {
    cancel = afterDelay(ms, resolve);
  });
  await Promise.race([Promise.all(all), late]);
  cancel();
}
