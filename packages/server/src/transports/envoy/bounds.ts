/**
 * How much a RateLimitRequest may say. Both transports hold it to that as they read it, but for the length of
 * a text: over HTTP that is only bounded as the whole body is.
 */

/** The most descriptors of a request: as many budgets as a store is asked for together. */
export const MOST_DESCRIPTORS = 1000;

/** The most entries of a descriptor. Rules have 16 levels, and a lease's name is one entry more. */
export const MOST_ENTRIES = 64;

/** The longest key, value or domain of a message in protobuf, in bytes: more than the 60 KiB that Envoy takes of headers. */
export const LONGEST_TEXT = 64 * 1024;
