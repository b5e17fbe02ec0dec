export * from "../types/limiter/small/index.js";
