export * from "../types/middleware/fastify/index.js";
