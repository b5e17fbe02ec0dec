/** What a worker knows of the service that it is one of. */
import type { ParseOptions } from "../../rules/index.ts";
import { parseRules } from "../../rules/index.ts";
import type { Service } from "../../service/index.ts";
import { type Log, named } from "../../telemetry/index.ts";
import type { AskRules, RulesAnswer } from "../../transports/http-api/index.ts";
import type { CommandError } from "../command-error.ts";
import { onHangUp, stopSignal } from "../process-events.ts";
import { parseAside } from "../reload/parse-aside.ts";
import type { Role } from "../role.ts";
import { type FromWorker, type ToWorker, WORKER } from "./messages.ts";

/** Whether this process was started as a worker. */
export function isWorker(): boolean {
  return process.env[WORKER] !== undefined && process.send !== undefined;
}

/** Its number, from 1; undefined in a process that is no worker. */
export function workerNumber(): number | undefined {
  return isWorker() ? Number(process.env[WORKER]) : undefined;
}

type Heard<T extends ToWorker["type"]> = Extract<ToWorker, { type: T }>;

/** Waits for what the primary says. */
function hear<T extends ToWorker["type"]>(type: T): Promise<Heard<T>> {
  return new Promise((resolve) => {
    process.on("message", (message: ToWorker) => {
      if (message.type === type) resolve(message as Heard<T>);
    });
  });
}

function say(message: FromWorker): void {
  process.send?.(message, undefined, undefined, () => {});
}

/** Says why it can't begin, and ends. */
export function failAsWorker({ code, message }: CommandError): Promise<never> {
  const failed: FromWorker = { type: "failed", code, message };
  return new Promise(() => {
    process.send?.(failed, undefined, undefined, () => process.exit(1));
  });
}

/** The role of a worker: its primary process reads the rules, and says when to listen and to stop. */
export async function workerRole(parse: ParseOptions, bare: Log): Promise<Role> {
  const log = named(bare, `worker ${workerNumber()}`);
  const keeper = new Keeper(parse);
  const start = hear("start");
  const listen = hear("listen");
  const stop = Promise.race([hear("stop").then(({ why }) => why), stopSignal()]);
  // The primary reads the files again.
  onHangUp(() => {});
  say({ type: "hello" });
  const { files, trouble } = await start;
  keeper.trouble ??= trouble;
  return {
    log,
    rules: parseRules(files, parse),
    keepRules: async (service, onBad) => {
      keeper.keep(service, onBad);
      return { trouble: () => keeper.trouble, ask: askPrimary(), close: () => {} };
    },
    mayListen: async () => {
      say({ type: "ready" });
      await listen;
    },
    serving: (lines) => say({ type: "serving", lines }),
    stop: () => stop,
  };
}

/** Has the primary process answer queries. */
function askPrimary(): AskRules {
  const waiting = new Map<number, (answer: RulesAnswer) => void>();
  let last = 0;
  process.on("message", (message: ToWorker) => {
    if (message.type !== "answer") return;
    waiting.get(message.round)?.(message.answer);
    waiting.delete(message.round);
  });
  return (query) =>
    new Promise((resolve) => {
      const round = ++last;
      waiting.set(round, resolve);
      say({ type: "ask", round, query });
    });
}

/** Follows the rules of the primary, one after the other. */
class Keeper {
  readonly #parse: ParseOptions;
  #prepare: Service["prepareRules"] = () => () => {};
  #isKept = () => {};
  #onBad = () => {};
  #last: Promise<void> = new Promise((resolve) => {
    this.#isKept = resolve;
  });
  trouble: string | undefined;
  /** The last rules that may be used. */
  #used = 0;
  #onUse = () => {};

  constructor(parse: ParseOptions) {
    this.#parse = parse;
    process.on("message", (message: ToWorker) => {
      if (message.type === "trouble") this.#note(message.trouble);
      else if (message.type === "rules") this.#apply(message);
      else if (message.type === "use") {
        this.#used = message.round;
        this.#onUse();
      }
    });
  }

  /** Has a service decide by all rules that come, and that have come meanwhile. */
  keep(service: Pick<Service, "prepareRules">, onBad: () => void): void {
    this.#onBad = onBad;
    this.#prepare = (rules) => service.prepareRules(rules);
    this.#isKept();
  }

  /** Waits until the primary says that all are ready. */
  async #mayUse(round: number): Promise<void> {
    while (this.#used < round) {
      await new Promise<void>((resolve) => {
        this.#onUse = resolve;
      });
    }
  }

  #note(trouble: string | undefined): void {
    this.trouble = trouble;
    if (trouble !== undefined) this.#onBad();
  }

  #apply({ files, round }: Heard<"rules">): void {
    this.#last = this.#last.then(async () => {
      // They have been checked: what throws here is a mistake of the service's own.
      const { rules } = await parseAside(files, this.#parse);
      const use = await this.#prepare(rules);
      say({ type: "prepared", round });
      await this.#mayUse(round);
      use();
      say({ type: "applied", round });
    });
  }
}
