export * from "../types/http/middleware/fastify/index.js";
