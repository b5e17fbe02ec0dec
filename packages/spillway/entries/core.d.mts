export * from "../types/limits/core/public.js";
