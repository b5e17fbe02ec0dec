import { expect } from "vitest";
import { type Admission, adaptiveShedder, type Shedder } from "../../../../src/shedding/index.ts";
import { HERE, type Row, type World } from "../row.ts";

const none = { partitionKey: false } as const;

/** One piece of work at a time; it is on the row's notes. */
function shedderIn({ notes }: World): Shedder {
  const shedder = adaptiveShedder({ cap: 1 });
  notes.push(shedder);
  return shedder;
}

const shedderOf = ({ notes }: World) => notes[0] as Shedder;

const occupy = async (world: World) => {
  world.notes.push(await shedderOf(world).admit());
};

const inFlight = (units: number) => (world: World) =>
  expect(shedderOf(world).stats().inFlight).toBe(units);

/** A shedder in front of the limits. */
export const shedding: readonly Row[] = [
  {
    situation: "what the shedder admits is in flight until it is over",
    route: (_, world) => ({ ...none, limit: "search", shedder: shedderIn(world) }),
    reply: (_, world) => ({ body: `${shedderOf(world).stats().inFlight}` }),
    steps: [{ gets: { status: 200, headers: { ratelimit: '"search";r=2;t=20' }, body: "1" } }],
    left: [["search", HERE, 2]],
    after: inFlight(0),
  },
  {
    situation: "what the shedder refuses is charged nothing",
    route: (_, world) => ({ ...none, limit: "search", shedder: shedderIn(world), deadline: 1 }),
    steps: [
      {
        before: occupy,
        gets: {
          status: 503,
          headers: { ratelimit: null, "cache-control": "no-store" },
        },
      },
    ],
    left: [["search", HERE, 3]],
    events: [{ type: "refused", shadow: false }],
    after: inFlight(1),
  },
  {
    situation: "what the shedder of a second route refuses: no time is later than Retry-After",
    route: (_, world) => [
      { ...none, limit: "search" },
      { ...none, shedder: shedderIn(world), deadline: 1 },
    ],
    steps: [{ before: occupy, gets: { status: 503, headers: { ratelimit: '"search";r=2' } } }],
    events: [{ type: "refused", shadow: false }],
    after: inFlight(1),
  },
  {
    situation: "a shedder alone",
    route: (_, world) => ({ shedder: shedderIn(world) }),
    steps: [{ gets: { status: 200, headers: { ratelimit: null } } }],
    after: inFlight(0),
  },
  {
    situation: "a priority, a cohort and a deadline of the request",
    route: (read, world) => ({
      ...none,
      limit: "search",
      shedder: shedderIn(world),
      priority: async (request) => (read(request, "x-priority") === "low" ? "low" : "critical"),
      cohort: (request) => read(request, "x-user") ?? "",
      deadline: () => 1000,
    }),
    steps: [
      { headers: { "x-priority": "low" }, gets: { status: 200 } },
      { headers: { "x-priority": "high" }, gets: { status: 200 } },
    ],
    after: (world) =>
      expect(shedderOf(world).stats().admitted).toMatchObject({ low: 1, critical: 1, normal: 0 }),
  },
  {
    situation: "a priority that throws",
    route: (_, world) => ({
      ...none,
      limit: "search",
      shedder: shedderIn(world),
      priority: () => {
        throw new Error("no idea");
      },
    }),
    steps: [{ gets: { status: 500 } }],
    left: [["search", HERE, 3]],
    events: [{ type: "failed", field: "priority" }],
    after: inFlight(0),
  },
  {
    situation: "what the shedder admits and a limit refuses is over at once",
    route: (_, world) => ({ ...none, limit: "search", count: 4, shedder: shedderIn(world) }),
    steps: [{ gets: { status: 429 } }],
    after: inFlight(0),
  },
  {
    situation: "what the shedder admits and whose key throws is over at once",
    route: (_, world) => ({
      ...none,
      limit: "search",
      shedder: shedderIn(world),
      key: async () => {
        throw new Error("no idea");
      },
    }),
    steps: [{ gets: { status: 500 } }],
    events: [{ type: "failed", field: "key" }],
    after: inFlight(0),
  },
  {
    situation: "who goes away before the answer is not in flight any more",
    route: (_, world) => ({ shedder: shedderIn(world) }),
    reply: async (_, { gone }) => {
      await gone;
      return {};
    },
    steps: [{ leaves: "before the answer" }],
    after: inFlight(0),
  },
  {
    situation: "what is skipped is not shed",
    route: (_, world) => ({ shedder: shedderIn(world), deadline: 1, skip: () => true }),
    steps: [{ before: occupy, gets: { status: 200 } }],
  },
  {
    situation: "in shadow, what the shedder refuses is served",
    route: (_, world) => ({
      ...none,
      limit: "search",
      shadow: true,
      shedder: shedderIn(world),
      deadline: 1,
    }),
    steps: [{ before: occupy, gets: { status: 200, body: "ok" } }],
    left: [["search", HERE, 2]],
    events: [{ type: "refused", shadow: true }],
    after: (world) => (world.notes[1] as Admission).done(),
  },
];
