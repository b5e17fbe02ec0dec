export * from "../types/algorithms/index.js";
