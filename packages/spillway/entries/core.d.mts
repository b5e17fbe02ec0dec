export * from "../types/limits/core/index.js";
