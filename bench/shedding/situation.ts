/** A load and whom it comes from, independent of how much the server can do. Pure. */
import type { Phase, Streams } from "./arrivals.ts";
import type { ClientKind } from "./clients/index.ts";
import type { WorkName } from "./works/index.ts";
import type { Pace } from "./works/pool.ts";

/** A span of a load; whole seconds, for counts are by the second. */
export type Part = {
  readonly seconds: number;
  /** Requests, as a multiple of the room. */
  readonly load: number;
  /** The room in this part, as a share of the usual. Default: 1. */
  readonly roomShare?: number;
  /** Responses that stay open, on top. Default: none. */
  readonly streams?: Streams | undefined;
  /** Whether it only shows what is left of an overload: goodput is not counted in it. */
  readonly isAfter?: boolean;
};

/** What a server is put through. */
export type Situation = {
  /** Words, the state first. */
  readonly name: string;
  readonly clients: ClientKind;
  readonly work: WorkName;
  /** Seconds at half load before, which are not counted; 0: the load begins as the server listens. */
  readonly warmUp: number;
  /** Whether connections for all requests of a second are open before. Default: false. */
  readonly isOpened?: boolean;
  readonly parts: readonly Part[];
  readonly contenders: readonly string[];
  /** Whether it is only tried where it is asked for. Default: false. */
  readonly isExtra?: boolean;
};

/** One second of a load. */
export type Moment = {
  readonly part: Part;
  /** Seconds since the load began. */
  readonly at: number;
  /** Whether the load fits the room, and has for three seconds. */
  readonly isCalm: boolean;
};

/** Seconds after an overload until nothing should be refused. */
const CALM_AFTER = 3;

/** All counted seconds, in order. */
export function momentsOf({ parts }: Situation): readonly Moment[] {
  let calm = CALM_AFTER;
  return parts
    .flatMap((part) => Array.from({ length: part.seconds }, () => part))
    .map((part, at) => {
      const isCalm = fits(part) && calm >= CALM_AFTER;
      calm = fits(part) ? calm + 1 : 0;
      return { part, at, isCalm };
    });
}

/** Whether there is room for all that comes. */
export function fits({ load, roomShare = 1 }: Part): boolean {
  return load <= roomShare;
}

/** The load as it is sent to a server with room for so many requests a second. */
export function phasesOf({ parts, warmUp }: Situation, room: number): readonly Phase[] {
  const warm: Part = { seconds: warmUp, load: 0.5 };
  return [warm, ...parts].map(({ seconds, load, streams }) => ({
    ms: seconds * 1000,
    rate: load * room + (streams?.rate ?? 0),
    streams,
  }));
}

/** How fast the server's work is done, when: part by part, from the first request on. */
export function pacesOf({ parts, warmUp }: Situation): readonly Pace[] {
  const warm = { ms: warmUp * 1000, share: 1 };
  return [
    warm,
    ...parts.map(({ seconds, roomShare = 1 }) => ({ ms: seconds * 1000, share: roomShare })),
  ];
}
