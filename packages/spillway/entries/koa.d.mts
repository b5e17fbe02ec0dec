export * from "../types/middleware/koa/index.js";
