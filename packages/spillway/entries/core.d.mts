export * from "../types/core/index.js";
