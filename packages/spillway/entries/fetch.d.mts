export * from "../types/http/middleware/fetch/index.js";
