import { PRIORITIES, type Priority } from "../../internal/index.ts";
import type { Random } from "../../limits/core/index.ts";
import { firstLevelOf, LEVELS, priorityAt } from "../cohorts.ts";
import { LevelCut } from "./level-cut.ts";
import { LevelLoad } from "./level-load.ts";
import { LoadShare, type LoadState, type LoadWindow } from "./load-share.ts";
import { isOver } from "./window.ts";

/** The number of pieces of work that must be served or lost before a window is judged. */
const ENOUGH_WORK = 10;
/** The number of windows in a row that must lose work before an overload begins. */
const IN_A_ROW = 3;
/** The part of the requested work that must be lost in each of them. */
const LOSS = 0.05;

/** The settings of an overload. All times are milliseconds. */
export type OverloadSettings = {
  /** How long it measures, at least, before it changes anything. */
  readonly window: number;
  /** When the first window begins, from any starting point. */
  readonly started: number;
  /** Returns random numbers, which decide at the border. */
  readonly random: Random;
};

/** The end of a window. */
export type WindowEnd = Pick<LoadState, "delay"> & {
  readonly now: number;
  /** Whether the process was busy or the capacity was reached. If neither, there is no overload. */
  readonly isSaturated: boolean;
};

type MutableLoadWindow = { -readonly [Count in keyof LoadWindow]: LoadWindow[Count] };

/** Detects that more work is requested than served, and decides which levels there is room for. */
export class Overload {
  readonly #settings: OverloadSettings;
  readonly #load = new LevelLoad(LEVELS);
  readonly #cut: LevelCut;
  readonly #share = new LoadShare();
  #started: number;
  #window: MutableLoadWindow = emptyWindow();
  /** The number of windows in a row that lost work. */
  #lossy = 0;
  #isOn = false;

  constructor(settings: OverloadSettings) {
    this.#settings = settings;
    const from = firstLevelOf(PRIORITIES[0] as Priority);
    this.#cut = new LevelCut({ load: this.#load, from, random: settings.random });
    this.#started = settings.started;
  }

  /**
   * Whether an overload is on: too much work was lost, and there is not yet room for all work
   * again.
   */
  get isOn(): boolean {
    return this.#isOn;
  }

  /** The share of the requested work that there is room for, from 0 to 1. */
  get share(): number {
    return this.#share.share;
  }

  /**
   * The priority that is admitted only in part, or not at all; undefined while all work is
   * admitted.
   */
  get border(): Priority | undefined {
    return priorityAt(this.#cut.border);
  }

  /** Returns whether there is room for work of a level. At the border this is random. */
  admits(level: number): boolean {
    return this.#cut.admits(level);
  }

  /** Counts a request for work of a level. */
  asked(level: number): void {
    this.#window.asked++;
    this.#load.add(level);
  }

  /** Counts work that has ended, with any result: there is room for more. */
  ended(): void {
    this.#window.served++;
  }

  /** Counts work that was admitted to the queue, but did not start in time. */
  waited(): void {
    this.#window.waited++;
  }

  /** Whether the window is long enough to be judged. */
  isWindowOver(now: number): boolean {
    const { served, waited } = this.#window;
    const progress = { lasted: now - this.#started, samples: served + waited };
    return isOver(progress, { ms: this.#settings.window, enough: ENOUGH_WORK });
  }

  /**
   * Ends the window and learns from it. The overload ends if all work may stay and little was lost.
   */
  endWindow({ now, delay, isSaturated }: WindowEnd): void {
    const window = this.#window;
    this.#begin(now);
    this.#load.roll();
    this.#lossy = window.waited > LOSS * window.asked ? this.#lossy + 1 : 0;
    this.#isOn ||= this.#lossy >= IN_A_ROW;
    this.#share.learn(window, { delay, isOverloaded: this.#isOn && isSaturated });
    this.#cut.cutTo(this.share);
    if (this.share === 1 && this.#lossy === 0) this.#isOn = false;
  }

  /**
   * Ends any overload. For use after a time without requests, when earlier windows no longer count.
   */
  forget(now: number): void {
    this.#begin(now);
    this.#lossy = 0;
    this.#isOn = false;
    this.#share.forget();
    this.#cut.cutTo(this.share);
  }

  #begin(now: number): void {
    this.#started = now;
    this.#window = emptyWindow();
  }
}

function emptyWindow(): MutableLoadWindow {
  return { asked: 0, served: 0, waited: 0 };
}
