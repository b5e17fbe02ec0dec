import type { LimitMode } from "spillway";
import type { Rule } from "../../rules/index.ts";
import { MODES, type ModeSwitch, type SwitchedLimits, switchedMode } from "./mode-switch.ts";

/** Finds the mode of each rule: that of its file or of a switch, weakened by those of several. */
export class RuleModes {
  readonly switches: readonly ModeSwitch[];
  readonly #modes = new WeakMap<Rule, LimitMode>();

  constructor(switches: readonly ModeSwitch[] = []) {
    this.switches = switches;
  }

  /** Whether nothing is switched, so that all rules have the modes of their files. */
  get areDeclared(): boolean {
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
    const own = modeAt({ scope: "limit", name }) ?? declaredMode(rule);
    const labelled = label === undefined ? undefined : modeAt({ scope: "rule", name: label });
    const all = [own, labelled, modeAt({ scope: "domain", name: domain }), modeAt(ALL)];
    const places = all.map((mode) => MODES.indexOf(mode ?? "enforce"));
    return MODES[Math.max(...places)] as LimitMode;
  }
}

/** Returns the mode that a rule has in its file. Pure. */
export function declaredMode({ shadow }: Pick<Rule, "shadow">): LimitMode {
  return shadow ? "shadow" : "enforce";
}

/** The limits of a switch of all. */
export const ALL: SwitchedLimits = { scope: "all", name: "" };
