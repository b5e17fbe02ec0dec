export * from "../types/http/headers/index.js";
