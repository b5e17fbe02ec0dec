/** Helpers that several rooms of the library share. A subpath exports `support.ts`. */
export { abandon, isThenable } from "../limits/core/index.ts";
export { abilities } from "./abilities.ts";
export { AbortListeners } from "./abort-listeners.ts";
export { plainBudgetId } from "./budget-id.ts";
export { type CallTimer, callTimer } from "./call-timer.ts";
export {
  badObject,
  badOption,
  checkBetween,
  checkFlag,
  checkFunction,
  checkMethod,
  checkOptions,
  checkPositive,
  checkSecret,
  checkWhole,
  isOptions,
  isWhole,
  notOptions,
  requireFunction,
} from "./check-options.ts";
export { type ClockReading, laterBy, msUntil, readNow } from "./clock-reading.ts";
export { closeSignal } from "./close-signal.ts";
export { closed } from "./closed.ts";
export { digest } from "./digest.ts";
export { digestUtf8 } from "./digest-utf8.ts";
export { characters, FieldReader, TOKEN, unescaped } from "./field-reader.ts";
export { HeldTimes } from "./held-times.ts";
export { hmac } from "./hmac.ts";
export { inTime, type TimedCall } from "./in-time.ts";
export { Line, type ListNode } from "./line.ts";
export { type LineEnd, MemberLine } from "./member-line.ts";
export { checkRateName, limitNamed, unknownGroup, unknownLimit } from "./named-limits.ts";
export { type NetworkEndpoint, placeOf } from "./network-endpoint.ts";
export { notify, quietly, warningsTo, warnOnce } from "./notify.ts";
export {
  type Awaitable,
  after,
  all,
  allOf,
  asAnswer,
  callEach,
  carriedOut,
  chain,
  eachAnswered,
  isPromised,
  type MaybePromise,
  rescued,
  together,
} from "./now-or-later.ts";
export { type ClosableResponse, onceClosed, queuedOn } from "./on-close.ts";
export {
  between,
  callable,
  clock,
  flag,
  given,
  group,
  having,
  needed,
  type Option,
  type OptionsOf,
  type OptionTable,
  random,
  readOptions,
  scheduler,
  timeout,
  warn,
  whole,
} from "./options.ts";
export { ownText } from "./own-text.ts";
export { pause } from "./pause.ts";
export { badPriority, isPriority, PRIORITIES, type Priority, priorityOf } from "./priority.ts";
export { checkedRandom, systemRandom } from "./random.ts";
export { RecentMap } from "./recent-map.ts";
export { RecentParts } from "./recent-parts.ts";
export { safeSignal } from "./safe-signal.ts";
export { sameMembers } from "./same-members.ts";
export { Schedule, type Scheduled } from "./schedule.ts";
export { Slices } from "./slices.ts";
export {
  isSignal,
  type LostSignal,
  type Stopper,
  type StopSignal,
  stopper,
  throwIfAborted,
} from "./stop-signal.ts";
export { systemScheduler } from "./system-scheduler.ts";
export { isError, textFrom, textOf } from "./text-of.ts";
export { utf16Hex } from "./utf16.ts";
export { observed, type WebStream, webStream } from "./web-stream.ts";
export { lacksFlag } from "./worker-flags.ts";
