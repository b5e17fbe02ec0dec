export * from "../types/store/index.js";
