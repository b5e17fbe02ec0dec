export * from "../types/http/guard/public.js";
