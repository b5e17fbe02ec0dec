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
  type PlayedColumns,
} from "./columns.ts";
export { type LeastNumber, leastNumber } from "./least.ts";
export {
  checked,
  hasCapacity,
  hasWindows,
  KINDS,
  type LimitSetup,
  queues,
  type RateKind,
  readRateText,
  withKind,
} from "./limit-setup.ts";
export { type Play, type Played, play, playAll } from "./play.ts";
export { PRESETS, type Preset } from "./presets.ts";
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
export { counted, numberText, rateText, timeText } from "./texts.ts";
export { readArrivals, readTimes } from "./traffic.ts";
