import type { LimitMode } from "spillway";
import { declaredMode, MODES, type Rule } from "../../rules/index.ts";
import { type ModeSwitch, type SwitchedLimits, switchedMode } from "./mode-switch.ts";

/** Finds the mode of each rule: that of its file or of a switch, weakened by those of several. */
export class RuleModes {
  readonly switches: readonly ModeSwitch[];
  readonly #modes = new WeakMap<Rule, LimitMode>();

  constructor(switches: readonly ModeSwitch[] = []) {
    this.switches = switches;
  }

  /** Whether nothing is switched, so that all rules have the modes of their files. */
  get hasNoSwitches(): boolean {
    return this.switches.length === 0;
  }

  /** Returns how a rule is enforced: in the weakest of the modes that concern it. */
  of(rule: Rule): LimitMode {
    const known = this.#modes.get(rule);
    if (known !== undefined) return known;
    const mode = this.#weakest(rule);
    this.#modes.set(rule, mode);
    return mode;
  }

  #weakest(rule: Rule): LimitMode {
    const modeAt = (at: SwitchedLimits) => switchedMode(this.switches, at);
    const { name, label, domain } = rule;
    const declared = declaredMode(rule);
    // What is off in its file has no limit to switch on.
    if (declared === "off") return "off";
    const own = modeAt({ scope: "limit", name }) ?? declared;
    const labelled = label === undefined ? undefined : modeAt({ scope: "rule", name: label });
    const all = [own, labelled, modeAt({ scope: "domain", name: domain }), modeAt(ALL)];
    const places = all.map((mode) => MODES.indexOf(mode ?? "enforce"));
    return MODES[Math.max(...places)] as LimitMode;
  }
}

/** The limits of a switch of all. */
export const ALL: SwitchedLimits = { scope: "all", name: "" };
