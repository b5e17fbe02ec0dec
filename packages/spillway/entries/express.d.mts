export * from "../types/middleware/express/index.js";
