export * from "../types/limits/algorithms/public.js";
