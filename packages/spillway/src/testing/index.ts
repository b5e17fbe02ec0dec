/** For tests: a manual clock, seeded random numbers, and the suite that every store has to pass. */
export { quietWarnings } from "../limits/core/index.ts";
export { type ConformanceCase, conformance, type OpenStore } from "./conformance.ts";
export { type ManualClock, manualClock } from "./manual-clock.ts";
export { seededRandom } from "./seeded-random.ts";
export { shareConformance } from "./share-conformance.ts";
export { shareVectors } from "./share-vectors.ts";
export { vectors } from "./vectors.ts";
