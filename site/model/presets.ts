/** Setups to begin with. */
import { DEFAULT, type Setup } from "./setup.ts";

export type Preset = { readonly name: string; readonly about: string; readonly setup: Setup };

const base = { obeys: false, units: 1, aligned: true } as const;
const [MINUTE, HOUR] = [60_000, 3_600_000];

export const PRESETS: readonly Preset[] = [
  {
    name: "Clicks",
    about:
      "20 clicks in 2 s, then one every 2 s: which capacity lets them pass, and what happens then?",
    setup: DEFAULT,
  },
  {
    name: "Login",
    about: "A person mistypes, then somebody guesses passwords: the guesses get ten an hour.",
    setup: {
      ...base,
      limits: [{ kind: "token bucket", rate: 10, period: HOUR, capacity: 5 }],
      traffic: "3 at once every 1m for 2m, then 2/s for 5m, then 1 per 10m for 2h",
    },
  },
  {
    name: "API by plan",
    about: "The same client on the free plan and on the pro plan.",
    setup: {
      ...base,
      limits: [
        { kind: "token bucket", rate: 60, period: MINUTE, capacity: 20 },
        { kind: "token bucket", rate: 300, period: MINUTE, capacity: 100 },
      ],
      traffic: "40 at once every 30s for 2m, then 2/s for 1m",
    },
  },
  {
    name: "LLM tokens",
    about: "Calls of 1500 tokens against 40 000 a minute, in three kinds.",
    setup: {
      ...base,
      units: 1500,
      limits: [
        { kind: "fixed window", rate: 40_000, period: MINUTE, capacity: 40_000 },
        { kind: "token bucket", rate: 40_000, period: MINUTE, capacity: 40_000 },
        { kind: "sliding log", rate: 40_000, period: MINUTE },
      ],
      traffic: "10 at once every 10s for 3m",
    },
  },
  {
    name: "Crawl",
    about: "A leaky bucket spaces the starts of a crawl: admitted requests wait for theirs.",
    setup: {
      ...base,
      limits: [{ kind: "leaky bucket", rate: 2, period: 1000, capacity: 50 }],
      traffic: "40 at once, then 3/s for 30s",
    },
  },
  {
    name: "Reports",
    about: "At most three reports are written at once; each takes 4 s.",
    setup: {
      ...base,
      limits: [{ kind: "concurrency", capacity: 3, ttl: 30_000, work: 4000 }],
      traffic: "2 at once every 3s for 30s",
    },
  },
  {
    name: "Stampede",
    about: "Thirty clients are refused at once, obey Retry-After, and come back together.",
    setup: {
      ...base,
      obeys: true,
      limits: [
        { kind: "token bucket", rate: 10, period: 1000, capacity: 10 },
        { kind: "fixed window", rate: 10, period: 1000, capacity: 10 },
      ],
      traffic: "30 at once",
    },
  },
];
