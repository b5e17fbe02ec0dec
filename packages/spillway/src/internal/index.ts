/** Helpers that folders of the library share. No subpath exports them. */
export { abandon, callEach, isThenable } from "./abandon.ts";
export { AbortListeners } from "./abort-listeners.ts";
export {
  type Awaitable,
  after,
  all,
  allOf,
  asAnswer,
  carriedOut,
  type Ends,
  eachAnswered,
} from "./answer.ts";
export { plainBudgetId } from "./budget-id.ts";
export { type CallTimer, callTimer } from "./call-timer.ts";
export {
  badObject,
  badOption,
  checkFlag,
  checkFunction,
  checkOptions,
  checkWhole,
  isOptions,
  notOptions,
} from "./check-options.ts";
export { closed } from "./closed.ts";
export { digest } from "./digest.ts";
export { digestUtf8 } from "./digest-utf8.ts";
export { type Characters, characters, FieldReader, TOKEN, unescaped } from "./field-reader.ts";
export { hmac } from "./hmac.ts";
export { type Failing, inTime, type Needed } from "./in-time.ts";
export { Line, type Linked } from "./line.ts";
export { checkRateName, limitNamed, unknownLimit } from "./named-limits.ts";
export { notify, quietly, warningsTo, warnOnce } from "./notify.ts";
export { type Closing, onceClosed, queuedOn } from "./on-close.ts";
export { ownText } from "./own-text.ts";
export { pause } from "./pause.ts";
export { type Address, placeOf } from "./place.ts";
export { checkedRandom, systemRandom } from "./random.ts";
export { laterBy, msUntil, type Reading, readNow } from "./reading.ts";
export { RecentMap } from "./recent-map.ts";
export { RecentParts } from "./recent-parts.ts";
export { safeSignal } from "./safe-signal.ts";
export { Schedule, type Scheduled } from "./schedule.ts";
export { Slices } from "./slices.ts";
export { isSignal, type Stopper, type StopSignal, stopper, throwIfAborted } from "./stop-signal.ts";
export { systemScheduler } from "./system-scheduler.ts";
export { isError, textFrom, textOf } from "./text-of.ts";
export { utf16Hex } from "./utf16.ts";
export { lacksFlag } from "./worker-flags.ts";
