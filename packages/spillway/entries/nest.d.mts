export * from "../types/http/middleware/nest/index.js";
