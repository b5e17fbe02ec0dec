export * from "../types/http/guard/index.js";
