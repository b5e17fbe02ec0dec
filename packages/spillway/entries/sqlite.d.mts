export * from "../types/stores/sqlite/index.js";
