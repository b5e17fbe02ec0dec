export * from "../types/stores/index.js";
