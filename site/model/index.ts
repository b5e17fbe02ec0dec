/** The playground without its picture: setups, plays, and what is shown of them. */
export { type Bars, barsOf, type View } from "./bars.ts";
export { programOf, ruleOf } from "./code.ts";
export {
  buffersOf,
  type Columns,
  columnsOf,
  csvOf,
  decisionAt,
  firstFrom,
  instantsOf,
  type PlayedColumns,
} from "./columns.ts";
export { type LeastNumber, leastNumber, leastNumberTrials } from "./least.ts";
export { type Levels, levelsOf } from "./levels.ts";
export {
  type ConcurrencySetup,
  checked,
  hasCapacity,
  hasWindows,
  isConcurrency,
  KINDS,
  type Kind,
  type LimitSetup,
  type RateSetup,
  readRateText,
  withKind,
} from "./limit-setup.ts";
export { type Play, play, playAll } from "./play.ts";
export type { Played } from "./played.ts";
export { PRESETS, type Preset } from "./presets.ts";
export * from "./processes/index.ts";
export {
  addressOf,
  DEFAULT,
  fitsAddress,
  MOST_LIMITS,
  readAddress,
  readUnits,
  type Setup,
} from "./setup.ts";
export {
  playShedding,
  readSheddingAddress,
  SHEDDING_FIELDS,
  type SheddingRun,
  type SheddingSetup,
  sheddingAddress,
} from "./shedding.ts";
export { sentenceOf, sentencesOf, summaryOf } from "./summary.ts";
export { counted, durationText, numberText, rateText, readDuration, timeText } from "./texts.ts";
export { readArrivals, readTimes } from "./traffic.ts";
