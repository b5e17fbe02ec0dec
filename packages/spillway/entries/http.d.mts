export * from "../types/http/index.js";
