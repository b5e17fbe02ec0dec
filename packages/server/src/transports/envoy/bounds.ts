/**
 * The bounds of a RateLimitRequest. Both transports check them while they read, except the length
 * of a text: over HTTP only the whole body is bounded.
 */

/**
 * The maximum number of descriptors of a request, equal to the maximum number of budgets in one
 * command of a store.
 */
export const MOST_DESCRIPTORS = 1000;

/**
 * The maximum number of entries of a descriptor. Rules have up to 16 levels, and a lease's name is
 * one entry more.
 */
export const MOST_ENTRIES = 64;

/**
 * The longest key, value or domain in protobuf, in bytes: more than the 60 KiB of headers that
 * Envoy accepts.
 */
export const LONGEST_TEXT = 64 * 1024;
