/** All workers of a service: as many as there should be, with the same rules. */
import { afterDelay, alarm } from "spillway/support";
import type { RuleFile } from "../../rules/index.ts";
import type { Log, WorkerPage } from "../../telemetry/index.ts";
import type { AskRules, RulesAnswer } from "../../transports/http-api/index.ts";
import { CommandError } from "../command-error.ts";
import { BackOff } from "./back-off.ts";
import { Member } from "./member.ts";

export type FleetOptions = {
  readonly workers: number;
  /** The rule files to begin with. */
  readonly files: readonly RuleFile[];
  readonly log: Log;
  /** Is called when no worker serves, and starting others has failed again and again. */
  readonly onLost: (error: CommandError) => void;
};

/** Workers listen a moment before their primary process watches the rules. */
const NOT_YET: RulesAnswer = {
  type: "refused",
  code: "internal",
  detail: "The service has only begun; try again",
};

/** So many failures in a row, and nobody who serves, are no accident. */
const MOST_FAILURES = 5;

/** Milliseconds for which workers wait for one that does not get ready. */
const PREPARED = 5000;

export class Fleet {
  readonly #options: FleetOptions;
  readonly #backOffs: readonly BackOff[];
  readonly #members = new Map<number, Member>();
  readonly #cancels = new Set<() => void>();
  #files: readonly RuleFile[];
  #trouble: string | undefined;
  #isStopping = false;
  /** Answers what clients of any worker ask of the rules. */
  onAsk: AskRules | undefined;

  constructor(options: FleetOptions) {
    this.#options = options;
    this.#files = options.files;
    this.#backOffs = Array.from({ length: options.workers }, () => new BackOff());
  }

  /** The processes that there are now. */
  get pids(): readonly number[] {
    return this.#all.map(({ pid }) => pid);
  }

  /**
   * Starts all. None listens before all could. Returns what one of them has to say.
   *
   * @throws CommandError where one can't begin: then there is none left.
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
   * Waits until all workers decide by other rules, which have been checked. None that serves does before all are
   * ready: units that one still holds under the rules before would count as used under the new ones.
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
    await Promise.all(changes.map(({ use }) => use()));
  }

  /** Sends a signal to all that serve: those that begin may not be ready for it. */
  signal(name: NodeJS.Signals): void {
    for (const member of this.#all) if (member.served !== undefined) member.signal(name);
  }

  setTrouble(trouble: string | undefined): void {
    this.#trouble = trouble;
    for (const member of this.#all) member.setTrouble(trouble);
  }

  /** Ends the drain of all workers, after `stop`. */
  hurry(why: string): void {
    for (const member of this.#all) member.stop(why);
  }

  /** Lets all finish what is under way. Returns how many had to be killed after so many milliseconds. */
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

  get #all(): readonly Member[] {
    return [...this.#members.values()];
  }

  #fork(number: number): Member {
    const member = new Member(number, () => ({ files: this.#files, trouble: this.#trouble }));
    member.onAsk = async (query) => this.onAsk?.(query) ?? NOT_YET;
    member.onCount = () => this.#numbers();
    this.#members.set(number, member);
    return member;
  }

  async #numbers(): Promise<readonly WorkerPage[]> {
    const pages = await Promise.all(this.#all.map((member) => member.numbers()));
    return pages.filter((page) => page !== undefined);
  }

  /** Starts another in its place when it ends. */
  async #watch(member: Member): Promise<void> {
    const how = await member.ended;
    this.#members.delete(member.number);
    if (this.#isStopping) return;
    const { number, served = 0 } = member;
    const backOff = this.#backOffs[number - 1] as BackOff;
    const pause = backOff.next(served);
    const what = `worker ${number}, process ${member.pid}, has ended (${how})`;
    if (backOff.failures > MOST_FAILURES && !this.#doesAnyServe) return this.#giveUp(what);
    this.#options.log.warn(`${what}: another one starts in ${pause} ms`);
    const cancel = alarm(pause, () => {
      this.#cancels.delete(cancel);
      void this.#replace(number);
    });
    this.#cancels.add(cancel);
  }

  get #doesAnyServe(): boolean {
    return this.#all.some(({ served }) => served !== undefined);
  }

  #giveUp(what: string): void {
    this.#isStopping = true;
    for (const cancel of this.#cancels) cancel();
    for (const member of this.#all) member.kill();
    this.#options.onLost(new CommandError("worker-failed", `${what}, and none serves any more`));
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
      warn(`worker ${number} can't begin: ${(error as Error).message}`);
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
