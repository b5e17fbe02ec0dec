export * from "../types/http/middleware/node/index.js";
