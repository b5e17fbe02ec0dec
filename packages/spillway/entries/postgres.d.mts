export * from "../types/stores/postgres/index.js";
