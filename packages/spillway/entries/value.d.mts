export * from "../types/http/value/index.js";
