export * from "../types/http/moving/express-rate-limit-store/index.js";
