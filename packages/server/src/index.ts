export * from "./rules/index.ts";
export * from "./service/index.ts";
export * from "./transports/http-api/index.ts";
