export * from "../types/stores/telemetry/index.js";
