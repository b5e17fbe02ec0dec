export * from "../types/testing/index.js";
