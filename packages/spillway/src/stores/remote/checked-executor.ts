/**
 * Checks executors of other authors: their methods, the errors of their hooks, and their answers.
 */
import { abandon, isError, notify, textOf } from "../../internal/index.ts";
import {
  type AnswerTo,
  type Budget,
  type Command,
  SpillwayError,
} from "../../limits/core/index.ts";
import type { CommandOutcome, Executor } from "../port/executor.ts";
import type { OnEvent } from "./events.ts";

/**
 * The optional hooks of an executor about budgets, nodes and failures. Missing ones are undefined.
 */
export type ExecutorHooks = Pick<
  Executor,
  "slotOf" | "nodeOf" | "blamesNode" | "mayConcernOne" | "obstacle" | "trouble"
>;

const HOOKS = [
  "slotOf",
  "nodeOf",
  "blamesNode",
  "mayConcernOne",
  "obstacle",
  "trouble",
  "register",
  "within",
  "isOver",
] as const;

/**
 * Returns the hooks of an executor, wrapped so that none throws: a thrown error would leave calls
 * without an answer. It is reported as a failure that concerns no command.
 */
export function hooksOf(executor: Executor, onEvent: OnEvent | undefined): ExecutorHooks {
  const guarded = <A extends unknown[], T>(
    name: keyof ExecutorHooks,
    hook: ((...details: A) => T) | undefined,
    otherwise: (error: Error) => T,
  ) => {
    if (hook === undefined) return undefined;
    const type: string = ANSWERS[name];
    return (...details: A): T => {
      try {
        const answer = hook.apply(executor, details);
        // Checked here and not in functions of their own, because each request calls several hooks.
        if (typeof answer === type) return answer;
        const mayBeNothing = type === "an Error" && (answer === undefined || isError(answer));
        if (mayBeNothing) return answer;
        throw badAnswer(name, answer);
      } catch (thrown) {
        const error = errorFrom(thrown);
        notify(onEvent, { type: "failed", node: executor.name, error, calls: 0 });
        return otherwise(error);
      }
    };
  };
  return {
    slotOf: guarded("slotOf", executor.slotOf, () => 0),
    nodeOf: guarded("nodeOf", executor.nodeOf, () => executor.name),
    blamesNode: guarded("blamesNode", executor.blamesNode, () => true),
    mayConcernOne: guarded("mayConcernOne", executor.mayConcernOne, () => false),
    obstacle: guarded("obstacle", executor.obstacle, (error) => error),
    trouble: guarded("trouble", executor.trouble, (error) => error),
  } as ExecutorHooks;
}

/** The type that each hook must return, synchronously; `an Error` may also be undefined. */
const ANSWERS: {
  readonly [H in keyof ExecutorHooks]-?: "number" | "string" | "boolean" | "an Error";
} = {
  slotOf: "number",
  nodeOf: "string",
  blamesNode: "boolean",
  mayConcernOne: "boolean",
  obstacle: "an Error",
  trouble: "an Error",
};

/**
 * Returns the error for an answer of another type. If that is a promise, its rejection is ignored.
 */
export function badAnswer(hook: keyof ExecutorHooks, answer: unknown): SpillwayError {
  abandon(answer);
  const type = ANSWERS[hook];
  const what = type === "an Error" ? "an Error, or undefined" : `a ${type}`;
  return badExecutor(hook, answer, `a function that returns ${what}, at once`);
}

/** Returns the slot of a budget. @throws SpillwayError `bad-store`; what the hook throws */
export function slotIn(executor: Executor, budget: Budget): number {
  const slot: unknown = executor.slotOf?.(budget);
  if (typeof slot !== "number") throw badAnswer("slotOf", slot);
  return slot;
}

/** Returns the error for a wrong number of outcomes. */
export function countError(
  commands: readonly Command[],
  outcomes: readonly CommandOutcome[],
): Error {
  return new Error(
    `found ${outcomes?.length} answers, expected ${commands.length}, one per command`,
  );
}

/** Converts a thrown value to an error. Pure. */
export function errorFrom(thrown: unknown): Error {
  return isError(thrown) ? thrown : new Error(textOf(thrown), { cause: thrown });
}

/** @throws SpillwayError `bad-store` if it is not an executor, with the missing or wrong member */
export function checkExecutor(executor: unknown): asserts executor is Executor {
  if (typeof executor !== "object" || executor === null) {
    throw badExecutor(
      "executor",
      executor,
      "an executor: an object with a timing, a name and execute",
    );
  }
  const { timing, name, execute } = executor as Partial<Executor>;
  if (timing !== "now" && timing !== "later")
    throw badExecutor("timing", timing, '"now" or "later"');
  if (typeof name !== "string") throw badExecutor("name", name, "a text");
  if (typeof execute !== "function") throw badExecutor("execute", execute, "a function");
  for (const hook of HOOKS) {
    const value = (executor as Partial<Executor>)[hook];
    if (value === undefined || typeof value === "function") continue;
    throw badExecutor(hook, value, "a function or undefined");
  }
}

function badExecutor(member: string, value: unknown, expected: string): SpillwayError {
  const field = member === "executor" ? member : `executor.${member}`;
  return new SpillwayError({ code: "bad-store", field, value, expected });
}

/** The result of a command was neither an answer nor an error, so it is unknown what was done. */
export class MalformedAnswer extends Error {
  override readonly name = "MalformedAnswer";
}

/** Returns the answer to a command. @throws the error that came instead; MalformedAnswer */
export function answerTo<C extends Command>(
  { verb, budgets }: C,
  outcome: CommandOutcome | undefined,
): AnswerTo<C> {
  if (outcome && "error" in outcome && outcome.error instanceof Error) throw outcome.error;
  const answer: unknown = outcome && "answer" in outcome ? outcome.answer : MISSING;
  const isList = Array.isArray(answer) && answer.length === budgets.length;
  const isDecided = verb === "limit" || verb === "check";
  if (isDecided ? isList : answer !== MISSING) return answer as AnswerTo<C>;
  throw new MalformedAnswer(`the executor's outcome is not an answer to \`${verb}\``);
}

/**
 * Returns undefined for a command if an executor did not return a list of outcomes. If it returned
 * a promise, its rejection is ignored.
 */
export function noOutcome(outcomes: unknown): undefined {
  abandon(outcomes);
}

const MISSING = Symbol();
