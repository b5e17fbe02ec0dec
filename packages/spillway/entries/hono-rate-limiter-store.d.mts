export * from "../types/http/moving/hono-rate-limiter-store/index.js";
