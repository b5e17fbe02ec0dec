import { PRIORITIES, type Priority } from "../../internal/index.ts";
import type { Random } from "../../limits/core/index.ts";
import { firstLevelOf, LEVELS, priorityAt } from "../cohorts.ts";
import { LevelCut } from "./level-cut.ts";
import { LevelLoad } from "./level-load.ts";
import { LoadShare, type LoadState, type LoadWindow } from "./load-share.ts";
import { isOver } from "./window.ts";

/** Served or lost in a window before anything is learnt from it. */
const ENOUGH_WORK = 10;
/** So many windows in a row have to lose work before that is no chance. */
const IN_A_ROW = 3;
/** The part of what is asked that has to be lost in each of them. */
const LOSS = 0.05;

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
  /** Whether the process was busy, or the capacity reached: only then is anything too much. */
  readonly isSaturated: boolean;
};

type MutableLoadWindow = { -readonly [Count in keyof LoadWindow]: LoadWindow[Count] };

/** Whether more is asked than is served, and which levels of what is asked there is room for. */
export class Overload {
  readonly #settings: OverloadSettings;
  readonly #load = new LevelLoad(LEVELS);
  readonly #cut: LevelCut;
  readonly #share = new LoadShare();
  #started: number;
  #window: MutableLoadWindow = emptyWindow();
  /** Windows in a row that lost work. */
  #lossy = 0;
  #isOn = false;

  constructor(settings: OverloadSettings) {
    this.#settings = settings;
    const from = firstLevelOf(PRIORITIES[0] as Priority);
    this.#cut = new LevelCut({ load: this.#load, from, random: settings.random });
    this.#started = settings.started;
  }

  /** Whether it is on: too much work had no turn in time, and not everything has again. */
  get isOn(): boolean {
    return this.#isOn;
  }

  /** The share of what is asked that there is room for, from 0 to 1. */
  get share(): number {
    return this.#share.share;
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

  /** Whether the window has lasted for long enough to be judged. */
  isWindowOver(now: number): boolean {
    const { served, waited } = this.#window;
    const progress = { lasted: now - this.#started, samples: served + waited };
    return isOver(progress, { ms: this.#settings.window, enough: ENOUGH_WORK });
  }

  /** Ends the window and learns from it; where all has its turn and may stay, the overload ends. */
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

  /** Forgets what was: nothing has been asked for so long that it says nothing of now. */
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
