export * from "../types/moving/nestjs-throttler-storage/index.js";
