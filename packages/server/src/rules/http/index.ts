/** The `http` section of rule files: finds the descriptors of a request. */
export { classify, type ItemDescriptor } from "./classify.ts";
export type { HttpItem } from "./items.ts";
export { type NormalRequest, normalRequest, type RequestHead } from "./request-head.ts";
