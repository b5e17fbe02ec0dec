export * from "../types/middleware/nest/index.js";
