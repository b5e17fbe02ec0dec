export * from "../types/shedding/index.js";
