export * from "../types/http/headers/public.js";
