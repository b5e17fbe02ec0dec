import type { Command } from "../../limits/core/index.ts";
import type { Paused, SlotBreakers } from "./breaker.ts";
import { BudgetPlans } from "./budget-plans.ts";

/** A command that waits for an answer. */
export type PendingCommand = {
  readonly command: Command;
  /** The slot of its budgets. */
  readonly slot: number;
  /** Whether the answer is one decision, and not a list. */
  readonly isOne: boolean;
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
};

/** Bounds on what is sent to one node at once, and on what waits for it. */
export type NodeSettings = {
  /** The maximum number of budgets in one request. */
  readonly mostBudgets: number;
  /** The maximum number of budgets in flight, including the cost of each request. */
  readonly mostInFlight: number;
  /** The maximum number of commands that wait to be sent. */
  readonly mostWaiting: number;
  /** Whether the store keeps its budgets in slots, several of which are on a node. */
  readonly hasSlots: boolean;
};

/** The cost of a request for a node, counted in budgets, in addition to its budgets. */
const COST_OF_REQUEST = 7;
/** The number of sent batches at the start of the queue's array before it is compacted. */
const SENT_KEPT = 1000;

/**
 * Commands that share a request, in order. Its budgets are bounded in number, all of one slot, and
 * none appears under two definitions, as could happen while a limit changes. A command is never
 * divided.
 */
export class MicroBatch {
  readonly slot: number;
  readonly all: PendingCommand[];
  readonly commands: Command[];
  /** The number of budgets. */
  budgets: number;
  /** Created for the second command: most requests of single commands need none. */
  #plans: BudgetPlans | undefined;

  constructor(first: PendingCommand) {
    this.slot = first.slot;
    this.all = [first];
    this.commands = [first.command];
    this.budgets = first.command.budgets.length;
  }

  /** Adds a command if it fits. Returns whether it did. */
  add(one: PendingCommand, most: number): boolean {
    const { budgets } = one.command;
    if (this.budgets + budgets.length > most || this.#isApart(one)) return false;
    this.#plans ??= new BudgetPlans((this.all[0] as PendingCommand).command.budgets);
    if (this.#plans.contradict(budgets)) return false;
    this.#plans.add(budgets);
    this.all.push(one);
    this.commands.push(one.command);
    this.budgets += budgets.length;
    return true;
  }

  /** Whether a command needs a request of its own: after an override, the definition is another. */
  #isApart({ command }: PendingCommand): boolean {
    return command.verb === "override" || this.commands[0]?.verb === "override";
  }
}

/**
 * One node of a store, as seen from this process: whether it answers, what is in flight, and what
 * waits.
 *
 * A node receives no more at once than it can handle well within a deadline. So a burst waits in
 * this process, and the node does not count as slow.
 */
export class StoreNode {
  readonly name: string;
  readonly breakers: SlotBreakers;
  /** Commands that exceeded the queue, until they are answered. */
  readonly refused: PendingCommand[] = [];
  readonly #settings: NodeSettings;
  #inFlight = 0;
  #waiting = 0;
  #queue: MicroBatch[] = [];
  /** The index of the first batch in the queue, because shifting an array is slow. */
  #first = 0;
  /** The newest waiting batch of each slot. */
  readonly #newest = new Map<number, MicroBatch>();

  constructor(name: string, breakers: SlotBreakers, settings: NodeSettings) {
    this.name = name;
    this.breakers = breakers;
    this.#settings = settings;
  }

  /** Queues a command, or refuses it if too many wait already. */
  add(one: PendingCommand): void {
    const { mostBudgets, mostWaiting } = this.#settings;
    if (this.#waiting >= mostWaiting) {
      this.refused.push(one);
      return;
    }
    this.#waiting++;
    if (this.#newest.get(one.slot)?.add(one, mostBudgets)) return;
    const batch = new MicroBatch(one);
    this.#newest.set(one.slot, batch);
    this.#queue.push(batch);
  }

  /** Returns the next batch that there is room for, which is in flight from now on. */
  next(): MicroBatch | undefined {
    const batch = this.#queue[this.#first];
    if (batch === undefined) return undefined;
    const inFlight = this.#inFlight + batch.budgets + COST_OF_REQUEST;
    if (this.#inFlight > 0 && inFlight > this.#settings.mostInFlight) return undefined;
    this.#inFlight = inFlight;
    this.#first++;
    if (this.#first === this.#queue.length || this.#first > SENT_KEPT) {
      this.#queue = this.#queue.slice(this.#first);
      this.#first = 0;
    }
    this.#waiting -= batch.all.length;
    if (this.#newest.get(batch.slot) === batch) this.#newest.delete(batch.slot);
    return batch;
  }

  /** Returns how events name the node, or one of its slots. */
  placeOf(slot: number, what: Paused): { readonly node: string; readonly slot?: number } {
    const isSlot = what === "slot" && this.#settings.hasSlots;
    return isSlot ? { node: this.name, slot } : { node: this.name };
  }

  /** Counts a batch that was sent without waiting. */
  sent({ budgets }: MicroBatch): void {
    this.#inFlight += budgets + COST_OF_REQUEST;
  }

  /** Records that a request was answered, or is no longer awaited. */
  ended({ budgets }: MicroBatch): void {
    this.#inFlight -= budgets + COST_OF_REQUEST;
  }

  /** Removes and returns all waiting commands, or those of one slot, in order. */
  drain(slot?: number): readonly PendingCommand[] {
    const queue = this.#queue.slice(this.#first);
    const isDrained = (batch: MicroBatch) => slot === undefined || batch.slot === slot;
    this.#queue = queue.filter((batch) => !isDrained(batch));
    this.#first = 0;
    const all = queue.filter(isDrained).flatMap((batch) => batch.all);
    if (slot === undefined) this.#newest.clear();
    else this.#newest.delete(slot);
    this.#waiting -= all.length;
    return all;
  }
}
