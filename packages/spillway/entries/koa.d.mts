export * from "../types/http/middleware/koa/index.js";
