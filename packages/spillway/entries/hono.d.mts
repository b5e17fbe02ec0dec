export * from "../types/http/middleware/hono/index.js";
