export * from "../types/limits/algorithms/index.js";
