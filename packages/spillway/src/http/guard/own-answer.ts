/** Answers refusals by a route's own function, `onLimited`, and handles its failures. */
import { badOption, chain, type MaybePromise, rescued } from "../../internal/index.ts";
import { called, RouteFailure } from "./calls.ts";
import { asError } from "./refusal.ts";

/** The ways to answer a refusal. */
export type OwnAnswer<A> = {
  /** Calls the route's function. */
  readonly call: () => MaybePromise<A>;
  /**
   * Checks the value that the function returns; `what` names the expected value. Default: any
   * value.
   */
  readonly expected?: { readonly what: string; readonly isRight: (answer: unknown) => boolean };
  /** Answers in place of the route's function. */
  readonly otherwise: () => A;
  /** Whether the function has begun a response. The timeout no longer applies then. */
  readonly hasBegun?: () => boolean;
  /**
   * Receives the error that the function threw, for frameworks with error handlers. Default:
   * `otherwise` answers.
   */
  readonly thrown?: ((error: Error) => A) | undefined;
};

/** The timeout in milliseconds, and the function that receives failures. */
type OwnAnswerOptions = {
  readonly timeout: number;
  readonly failed: (failure: RouteFailure) => void;
};

const FIELD = "onLimited";

/**
 * Answers a refusal by the route's function. Throws or rejects only if `thrown` or `otherwise`
 * does.
 */
export function ownAnswer<A>(
  own: OwnAnswer<A>,
  { timeout, failed }: OwnAnswerOptions,
): MaybePromise<A> {
  const fail = (error: unknown): A => {
    const failure = error as RouteFailure;
    if (failure.timedOut && own.hasBegun?.()) return undefined as A;
    failed(failure);
    const isThrown = !failure.timedOut && !(failure instanceof WrongAnswer);
    return isThrown && own.thrown ? own.thrown(asError(failure.error)) : own.otherwise();
  };
  const find = () => chain(own.call(), (answer) => checked(own, answer));
  return rescued(() => called({ field: FIELD, timeout }, find, undefined, undefined), fail);
}

/** Throws the error of a route's function, so that the framework handles it. */
export function rethrow(error: Error): never {
  throw error;
}

function checked<A>({ expected }: OwnAnswer<A>, answer: A): A {
  if (expected === undefined || expected.isRight(answer)) return answer;
  throw new WrongAnswer(
    FIELD,
    badOption(FIELD, answer, `a function that returns ${expected.what}`),
  );
}

/** The function returned a value that can't be sent. */
class WrongAnswer extends RouteFailure {}
