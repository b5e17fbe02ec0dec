export * from "../types/react/index.js";
