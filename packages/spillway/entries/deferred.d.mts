export * from "../types/deferred/index.js";
