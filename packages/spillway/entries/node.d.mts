export * from "../types/middleware/node/index.js";
