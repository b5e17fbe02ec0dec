export * from "../types/value/index.js";
