export * from "../types/telemetry/index.js";
