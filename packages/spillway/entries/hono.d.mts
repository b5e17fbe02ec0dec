export * from "../types/middleware/hono/index.js";
