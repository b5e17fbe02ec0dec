export * from "../types/middleware/fetch/index.js";
