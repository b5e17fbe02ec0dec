export * from "../types/moving/express-rate-limit-store/index.js";
