/** Refusals that a route's own function answers, its `onLimited`, whatever that does. */
import { badOption, chain, type Maybe, rescued } from "../../internal/index.ts";
import { called, RouteFailure } from "./calls.ts";
import { asError } from "./refusal.ts";

/** How a refusal is answered. */
export type OwnAnswer<A> = {
  /** Calls the route's function. */
  readonly call: () => Maybe<A>;
  /** What has to be returned, and whether it was. Default: anything. */
  readonly expected?: { readonly what: string; readonly isRight: (answer: unknown) => boolean };
  /** Answers in its place. */
  readonly otherwise: () => A;
  /** Whether it has begun an answer, which then takes as long as it takes. */
  readonly hasBegun?: () => boolean;
  /** Receives what it threw, for frameworks with error handlers. Default: `otherwise` answers. */
  readonly thrown?: ((error: Error) => A) | undefined;
};

/** How long it is waited for, and who hears of what failed. */
type Answering = {
  readonly timeout: number;
  readonly failed: (failure: RouteFailure) => void;
};

const FIELD = "onLimited";

/** Has a route's function answer a refusal. Throws and rejects with nothing but what `thrown` and `otherwise` do. */
export function ownAnswer<A>(own: OwnAnswer<A>, { timeout, failed }: Answering): Maybe<A> {
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

/** Hands what a route's function threw to the framework, by throwing it. */
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

/** It has answered what can't be sent. */
class WrongAnswer extends RouteFailure {}
