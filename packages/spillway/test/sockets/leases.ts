/** What processes of one test agree upon. */
export const CONNECTIONS = {
  connections: { kind: "concurrency", capacity: 3, ttl: "1s" },
} as const;
