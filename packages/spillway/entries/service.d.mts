export * from "../types/stores/service/index.js";
