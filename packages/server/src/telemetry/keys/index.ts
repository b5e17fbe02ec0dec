/** Counts the keys that are asked for most. */
export { KeySketch } from "./key-sketch.ts";
export { mergedCounts } from "./merged-counts.ts";
