export * from "../types/stores/redis/index.js";
