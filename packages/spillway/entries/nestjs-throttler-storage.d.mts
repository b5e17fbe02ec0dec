export * from "../types/http/moving/nestjs-throttler-storage/index.js";
