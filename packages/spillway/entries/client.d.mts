export * from "../types/client/index.js";
