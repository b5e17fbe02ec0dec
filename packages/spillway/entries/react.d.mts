export * from "../types/http/react/index.js";
