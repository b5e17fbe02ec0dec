export * from "../types/stores/memory/public.js";
