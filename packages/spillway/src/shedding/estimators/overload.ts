import type { Random } from "../../core/index.ts";
import { firstLevelOf, LEVELS, priorityAt } from "../cohorts.ts";
import { PRIORITIES, type Priority } from "../priority.ts";
import { LevelCut } from "./level-cut.ts";
import { LevelLoad } from "./level-load.ts";
import { LoadShare, type LoadState, type LoadWindow } from "./load-share.ts";
import { UnseenQueue } from "./unseen-queue.ts";
import { isOver } from "./window.ts";

/** Served in a window before anything is learnt from it. */
const ENOUGH = 10;

/** What an overload is measured with; milliseconds. */
export type OverloadSettings = {
  /** How long is measured before anything is changed. */
  readonly window: number;
  /** When the first window begins, from any beginning. */
  readonly started: number;
  /** Decides at the border. */
  readonly random: Random;
};

/** How a window ends. */
export type WindowEnd = Pick<LoadState, "delay"> & {
  readonly now: number;
  /** Whether work waits for longer than it should. */
  readonly isStanding: boolean;
  /** Whether the process was busy, or the capacity reached: only then is anything too much. */
  readonly isPressed: boolean;
  /** The event loop's utilization; undefined where nothing is known of it. */
  readonly utilization?: number | undefined;
};

type Counted = { -readonly [Count in keyof LoadWindow]: LoadWindow[Count] };

/** Whether more is asked than is served, and which levels of what is asked there is room for. */
export class Overload {
  readonly #settings: OverloadSettings;
  readonly #load = new LevelLoad(LEVELS);
  readonly #cut: LevelCut;
  readonly #share = new LoadShare();
  readonly #unseen = new UnseenQueue();
  #started: number;
  #window: Counted = emptyWindow();
  #lastWindow: LoadWindow = emptyWindow();
  #isOn = false;

  constructor(settings: OverloadSettings) {
    this.#settings = settings;
    const from = firstLevelOf(PRIORITIES[0] as Priority);
    this.#cut = new LevelCut({ load: this.#load, from, random: settings.random });
    this.#started = settings.started;
  }

  /** Whether it is on: it was begun, and not everything has its turn in time again. */
  get isOn(): boolean {
    return this.#isOn;
  }

  /** The share of what is asked that there is room for, from 0 to 1. */
  get share(): number {
    return Math.min(this.#share.share, this.#unseen.share);
  }

  /** Whether work waits where it can't be seen: the process is never idle, so that none stands by. */
  get isUnseen(): boolean {
    return this.#unseen.share < 1;
  }

  /** The priority of which only a part stays, or none; undefined while all work stays. */
  get border(): Priority | undefined {
    return priorityAt(this.#cut.border);
  }

  /** Whether there is room for work of a level; at the border chance decides. */
  admits(level: number): boolean {
    return this.#cut.admits(level);
  }

  /** Work of a level was asked for. */
  asked(level: number): void {
    this.#window.asked++;
    this.#load.add(level);
  }

  /** Work has ended, in whatever way: there is room for more. */
  ended(): void {
    this.#window.served++;
  }

  /** Work for which there was to be room had no turn in time. */
  waited(): void {
    this.#window.waited++;
  }

  /** Whether the window has lasted for long enough to tell something. */
  isWindowOver(now: number): boolean {
    const progress = { lasted: now - this.#started, samples: this.#window.served };
    return isOver(progress, { ms: this.#settings.window, enough: ENOUGH });
  }

  /** Ends the window and learns from it; where all has its turn and may stay, the overload ends. */
  endWindow({ now, delay, isStanding, isPressed, utilization }: WindowEnd): void {
    this.#lastWindow = this.#window;
    this.#window = emptyWindow();
    this.#started = now;
    this.#load.roll();
    this.#unseen.learn(utilization, isStanding || this.#isOn);
    this.#learn(this.#lastWindow, { delay, isOverloaded: this.#isOn && isPressed });
    if (!isStanding && this.#share.share === 1) this.#isOn = false;
  }

  /** Forgets what was: nothing has been asked for so long that it says nothing of now. */
  forget(now: number): void {
    this.#isOn = false;
    this.#started = now;
    this.#window = emptyWindow();
    this.#lastWindow = this.#window;
    this.#share.forget();
    this.#unseen.forget();
    this.#cut.cutTo(this.share);
  }

  /** Begins it: work has waited for too long. `delay` is that of a window's end. */
  begin(delay: number): void {
    this.#isOn = true;
    // This window may have just begun.
    this.#learn(sumOf(this.#lastWindow, this.#window), { delay, isOverloaded: true });
  }

  #learn(window: LoadWindow, state: LoadState): void {
    this.#share.learn(window, state);
    this.#cut.cutTo(this.share);
  }
}

function emptyWindow(): Counted {
  return { asked: 0, served: 0, waited: 0 };
}

function sumOf(one: LoadWindow, other: LoadWindow): LoadWindow {
  return {
    asked: one.asked + other.asked,
    served: one.served + other.served,
    waited: one.waited + other.waited,
  };
}
