/** What processes of one test agree upon: a lease is renewed in time on a machine that stands still for a second or two. */
export const CONNECTIONS = {
  connections: { kind: "concurrency", capacity: 3, ttl: "4s" },
} as const;
