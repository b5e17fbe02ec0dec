export * from "../types/http/middleware/express/index.js";
