export * from "./doors/http-api/index.ts";
export * from "./rules/index.ts";
export * from "./service/index.ts";
