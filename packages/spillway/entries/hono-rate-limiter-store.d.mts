export * from "../types/moving/hono-rate-limiter-store/index.js";
