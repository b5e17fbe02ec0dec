export * from "../types/stores/memory/index.js";
