export * from "../types/visitors/index.js";
