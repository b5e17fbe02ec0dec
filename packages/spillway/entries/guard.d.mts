export * from "../types/middleware/guard/index.js";
