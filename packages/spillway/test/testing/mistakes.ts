/** Mistakes of stores, each of which a suite has to find. */
import type {
  Budget,
  Command,
  CommandOf,
  Decision,
  Draw,
  Drawn,
  Lent,
  State,
} from "../../src/limits/core/index.ts";
import { DAY, Leases, Log } from "../../src/limits/core/index.ts";
import { type Mistake, rightName, type Scene } from "./broken-store.ts";

const named = (text: (text: string) => string): Mistake => ({
  nameOf: ({ plan, key }) => JSON.stringify([plan.limit, key === undefined ? null : text(key)]),
});
const limitNamed = (text: (text: string) => string): Mistake => ({
  nameOf: ({ plan, key }) => JSON.stringify([text(plan.limit), key ?? null]),
});
/** A store that does one thing otherwise, by the verb of a command. */
const onVerb = <V extends Command["verb"]>(
  verb: V,
  execute: (scene: Scene & { readonly command: CommandOf<V> }) => unknown,
): Mistake => ({
  execute: (scene) =>
    scene.command.verb === verb
      ? execute(scene as Scene & { readonly command: CommandOf<V> })
      : scene.carryOut(scene.command),
});
const stateOf = ({ states }: Scene, budget: Budget) => states.get(rightName(budget)) as State;
const keeping =
  (most: number) =>
  (states: Map<string, State>): void => {
    for (const name of states.keys()) if (states.size > most) states.delete(name);
  };
const withLog = (change: (entries: number[][]) => number[][]) => (state: State) => {
  if (state.log === undefined) return;
  const { length } = state.log;
  const entries = Array.from({ length }, (_, place) => [
    state.log?.instant(place) as number,
    state.log?.units(place) as number,
  ]);
  const log = new Log();
  for (const [instant = 0, units = 0] of change(entries)) log.push({ instant, units });
  state.log = log;
};
const withLeases = (change: (leases: number[][]) => number[][]) => (state: State) => {
  if (state.leases === undefined) return;
  const numbers = [...state.leases.toNumbers()];
  const rows = Array.from({ length: numbers.length / 3 }, (_, row) =>
    numbers.slice(3 * row, 3 * row + 3),
  );
  const kept = change(rows);
  state.leases = Leases.from(kept.flat());
  state.used = kept.reduce((sum, [, units = 0]) => sum + units, 0);
};

/** Those that were once not found, by what they are. */
export const NAMED: { readonly [name: string]: Mistake } = {
  "joins keys by case": named((key) => key.toLowerCase()),
  "joins keys by a collation": named((key) => key.toUpperCase()),
  "joins keys by trailing spaces": named((key) => key.replace(/ +$/, "")),
  "joins keys by white space": named((key) => key.trim()),
  "joins keys beyond 32 characters": named((key) => key.slice(0, 32)),
  "joins keys beyond 200 characters": named((key) => key.slice(0, 200)),
  "joins keys beyond 255 characters": named((key) => key.slice(0, 255)),
  "joins keys by their last 100 characters": named((key) => key.slice(-100)),
  "joins limits by case": limitNamed((limit) => limit.toLowerCase()),
  "joins limits by trailing spaces": limitNamed((limit) => limit.replace(/ +$/, "")),
  "joins limits beyond 32 characters": limitNamed((limit) => limit.slice(0, 32)),
  "keeps five keys": { kept: keeping(5) },
  "keeps a hundred keys": { kept: keeping(100) },
  "keeps a log of 100": { saved: withLog((entries) => entries.slice(-100)) },
  "keeps a log of 256": { saved: withLog((entries) => entries.slice(-256)) },
  "wraps counts at 65 536": {
    saved: (state) => {
      if (state.log === undefined && state.leases === undefined) state.used %= 65_536;
    },
  },
  "wraps the units of a log's entries at 65 536": {
    saved: withLog((entries) =>
      entries.map(([instant = 0, units = 0]) => [instant, units % 65_536]),
    ),
  },
  "wraps the units of leases at 65 536": {
    saved: withLeases((leases) =>
      leases.map(([id = 0, units = 0, until = 0]) => [id, units % 65_536, until]),
    ),
  },
  "cuts blocks at a day": {
    command: (command) =>
      command.verb === "block" ? { ...command, ms: Math.min(command.ms, DAY) } : command,
  },
  "drops more than 20 leases": { saved: withLeases((leases) => leases.slice(-20)) },
  "drops more than 256 leases": { saved: withLeases((leases) => leases.slice(-256)) },
  "hands out the live record": onVerb("peek", (scene) => {
    const { command, now, carryOut } = scene;
    carryOut(command);
    return command.budgets.map((budget) => ({ state: stateOf(scene, budget), now }));
  }),
};

const refusedOf = (answer: unknown) => (answer as readonly Decision[]).some(({ ok }) => !ok);

/** Further ones. */
export const OTHERS: { readonly [name: string]: Mistake } = {
  "joins keys by normalization": named((key) => key.normalize("NFC")),
  "joins keys by replaced surrogates": named((key) => key.toWellFormed()),
  "ends keys at a null": named((key) => key.split("\0")[0] as string),
  "joins an empty key and none": {
    nameOf: ({ plan, key = "" }) => JSON.stringify([plan.limit, key]),
  },
  "joins no key and a key of that word": {
    nameOf: ({ plan, key }) => JSON.stringify([plan.limit, String(key)]),
  },
  "joins limit and key with nothing between": {
    nameOf: ({ plan, key }) => `${plan.limit}${key ?? ""}`,
  },
  "joins limit and key with a colon": { nameOf: ({ plan, key }) => `${plan.limit}:${key ?? ""}` },
  "reads keys that look like numbers": named((key) =>
    key === "" || Number.isNaN(Number(key)) ? key : `${Number(key)}`,
  ),
  "knows eight bits of a digest": named(
    (key) => `${[...key].reduce((sum, char) => sum + (char.codePointAt(0) as number), 0) % 256}`,
  ),
  "keeps 16 limits of a key": { kept: keeping(16) },
  "charges checks": onVerb("check", ({ command, carryOut }) =>
    carryOut({ ...command, verb: "limit" }),
  ),
  "charges what it refuses": onVerb("limit", (scene) => {
    const { command, carryOut } = scene;
    const answer = carryOut(command);
    if (refusedOf(answer)) for (const budget of command.budgets) stateOf(scene, budget).used += 1;
    return answer;
  }),
  "charges those of several that have room": onVerb("limit", ({ command, carryOut }) => {
    const answer = carryOut(command);
    if (!refusedOf(answer)) return answer;
    (answer as readonly Decision[]).forEach(({ ok }, place) => {
      const ask = command.budgets[place];
      if (ok && ask !== undefined) carryOut({ verb: "limit", budgets: [ask] });
    });
    return answer;
  }),
  "charges the first of several alone": onVerb("limit", ({ command, carryOut }) => {
    const answer = carryOut({ ...command, verb: "check" });
    const [first] = command.budgets;
    if (!refusedOf(answer) && first !== undefined) carryOut({ verb: "limit", budgets: [first] });
    return answer;
  }),
  "answers several in another order": onVerb("limit", ({ command, carryOut }) =>
    [...carryOut(command)].reverse(),
  ),
  "settles nothing": onVerb("settle", ({ command: { budgets }, carryOut }) =>
    carryOut({ verb: "value", budgets }),
  ),
  "settles twice": onVerb("settle", ({ command, carryOut }) => {
    carryOut(command);
    return carryOut(command);
  }),
  "gives nothing back by a settlement": onVerb("settle", ({ command, carryOut }) => {
    const { reserved, used } = command.settlement;
    return carryOut({ ...command, settlement: { reserved, used: Math.max(reserved, used) } });
  }),
  "lifts a block by a reset": onVerb("reset", (scene) => {
    scene.carryOut(scene.command);
    stateOf(scene, scene.command.budgets[0]).blockedUntil = 0;
  }),
  "resets nothing": onVerb("reset", () => undefined),
  "forgets what was used by a block": onVerb("block", ({ command, carryOut }) => {
    carryOut({ verb: "reset", budgets: command.budgets });
    carryOut(command);
  }),
  "forgets what was used by an unblock": onVerb("unblock", ({ command, carryOut }) => {
    carryOut(command);
    carryOut({ verb: "reset", budgets: command.budgets });
  }),
  "keeps the longer of two blocks": onVerb("block", (scene) => {
    const { command, now, carryOut } = scene;
    const { blockedUntil = 0 } = stateOf(scene, command.budgets[0]) ?? {};
    carryOut({ ...command, ms: Math.max(command.ms, blockedUntil - now) });
  }),
  "unblocks nothing": onVerb("unblock", () => undefined),
  "frees leases of anybody's": onVerb("release", (scene) => {
    const { command, carryOut } = scene;
    const { leases } = stateOf(scene, command.budgets[0]) ?? {};
    const [id] = leases?.toNumbers() ?? [];
    return id === undefined
      ? carryOut(command)
      : carryOut({ ...command, lease: { ...command.lease, id } });
  }),
  "frees leases whatever their count": onVerb("release", (scene) => {
    const { command, carryOut } = scene;
    const count = stateOf(scene, command.budgets[0])?.leases?.find(command.lease.id)?.units;
    return carryOut({
      ...command,
      lease: { ...command.lease, count: count ?? command.lease.count },
    });
  }),
  "says that all was released": onVerb("release", ({ command, carryOut }) => {
    carryOut(command);
    return true;
  }),
  "renews nothing": onVerb("renew", ({ command, carryOut }) => {
    const { lease, budgets } = command;
    const wasHeld = carryOut({ verb: "release", budgets, lease });
    if (wasHeld)
      carryOut({ verb: "limit", budgets: [{ ...budgets[0], count: 0, reserve: false }] });
    return wasHeld;
  }),
  "knows 32 bits of a lease's id": {
    command: (command) => {
      if (command.verb === "release" || command.verb === "renew") {
        return { ...command, lease: { ...command.lease, id: command.lease.id >>> 0 } };
      }
      if (command.verb !== "limit") return command;
      const budgets = command.budgets.map((ask) =>
        ask.lease === undefined ? ask : { ...ask, lease: { ...ask.lease, id: ask.lease.id >>> 0 } },
      );
      return { ...command, budgets };
    },
  },
  "leaves nothing to others": {
    command: (command) => {
      if (command.verb !== "limit" && command.verb !== "check") return command;
      const budgets = command.budgets.map((ask) =>
        ask.lease === undefined ? ask : { ...ask, lease: { ...ask.lease, headroom: 0 } },
      );
      return { ...command, budgets } as Command;
    },
  },
  "has time only in seconds": { clock: (now) => now - (now % 1000) },
  "has a clock that is behind by a millisecond": { clock: (now) => now - 1 },
  "forgets after a minute": {
    kept: (states, now) => {
      for (const [name, { since }] of states) if (now - since > 60_000) states.delete(name);
    },
  },
  "forgets after 30 days": {
    kept: (states, now) => {
      for (const [name, { since }] of states) if (now - since > 30 * DAY) states.delete(name);
    },
  },
  "forgets where a limit has changed": {
    saved: (state) => {
      state.others = undefined;
    },
  },
  "keeps no window before the present": {
    saved: (state) => {
      state.previous = 0;
    },
  },
  "keeps nothing of what was settled": {
    saved: (state) => {
      state.unsettled = 0;
    },
  },
  "keeps floats of 32 bits": {
    saved: (state) => {
      state.used = Math.fround(state.used);
    },
  },
  "keeps counts of 31 bits": {
    saved: (state) => {
      state.used |= 0;
    },
  },
  "keeps 14 digits": {
    saved: (state) => {
      state.used = Number(state.used.toPrecision(14));
      state.since = Number(state.since.toPrecision(12));
    },
  },
  "merges entries of a log in one second": {
    saved: withLog((entries) => {
      const merged = new Map<number, number>();
      for (const [instant = 0, units = 0] of entries) {
        const second = instant - (instant % 1000);
        merged.set(second, (merged.get(second) ?? 0) + units);
      }
      return [...merged];
    }),
  },
  "keeps a count of 1 for all in a log": {
    saved: withLog((entries) => entries.map(([instant = 0]) => [instant, 1])),
  },
};

const drawn = (change: (draw: Draw) => Draw, answer = (drawn: Drawn): Drawn => drawn): Mistake =>
  onVerb("draw", ({ command, carryOut }) =>
    answer(carryOut({ ...command, draw: change(command.draw) })),
  );
const lending = (change: (lent: Lent) => Partial<Lent>): Mistake =>
  drawn(
    (draw) => draw,
    ({ decision, lent }) => ({ decision, lent: { ...lent, ...change(lent) } }),
  );

/** Those of what is lent, which the suite for stores that lend has to find. */
export const DRAWS: { readonly [name: string]: Mistake } = {
  "lends nothing": drawn((draw) => ({ ...draw, want: 0 })),
  "lends one more than it counts": lending(({ units }) => ({ units: units + Number(units > 0) })),
  "lends one less than it counts": lending(({ units }) => ({ units: Math.max(0, units - 1) })),
  "lends for a millisecond too long": lending(({ lasts }) => ({ lasts: lasts + 1 })),
  "lends for half of the time": lending(({ lasts }) => ({ lasts: Math.ceil(lasts / 2) })),
  "knows all shares": lending(() => ({ unlisted: [] })),
  "counts what comes back as used": drawn((draw) => ({ ...draw, back: [] })),
  "notes nothing of what is left": drawn((draw) => ({ ...draw, left: [] })),
  "takes all that is left for used": drawn((draw) => ({
    ...draw,
    left: draw.left.map((share) => ({ ...share, units: 0 })),
  })),
  "has one share, whatever its id": drawn((draw) => ({ ...draw, id: 1 })),
  "takes nothing by a draw": onVerb("draw", ({ command, carryOut }) => {
    const [ask] = command.budgets;
    return carryOut({ ...command, budgets: [{ ...ask, count: 0 }] });
  }),
  "forgets what is lent on reset": onVerb("reset", (scene) => {
    scene.states.delete(rightName(scene.command.budgets[0]));
  }),
};
