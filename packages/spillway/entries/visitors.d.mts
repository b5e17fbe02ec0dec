export * from "../types/http/visitors/index.js";
