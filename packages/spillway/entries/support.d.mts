export * from "../types/internal/support.js";
