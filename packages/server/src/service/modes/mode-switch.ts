/** Modes that are switched while the service runs, as plain data. All functions are pure. */
import type { LimitMode } from "spillway";

/** The kinds of names by which limits are switched. */
export type ModeScopeKind = "limit" | "rule" | "domain" | "all";

/** The limits that a switch concerns. */
export type SwitchedLimits = {
  /**
   * `limit`: one limit, by its name such as `shop/user`. `rule`: all limits with that
   * `rate_limit.name`. `domain`: all limits of a domain. `all`: every limit.
   */
  readonly scope: ModeScopeKind;
  /** The name; empty for `all`. */
  readonly name: string;
};

/** A mode that was switched. It sets the mode of one limit, and weakens those of several. */
export type ModeSwitch = SwitchedLimits & { readonly mode: LimitMode };

/** Returns the switches after another one. One that changes nothing any more is left out. */
export function withSwitch(
  switches: readonly ModeSwitch[],
  added: ModeSwitch,
  declared: LimitMode,
): readonly ModeSwitch[] {
  const others = switches.filter((one) => !isSame(one, added));
  const usual = added.scope === "limit" ? declared : "enforce";
  return added.mode === usual ? others : [...others, added];
}

/** Returns the mode that is switched for some limits; undefined if none is. */
export function switchedMode(
  switches: readonly ModeSwitch[],
  at: SwitchedLimits,
): LimitMode | undefined {
  return switches.find((one) => isSame(one, at))?.mode;
}

/** Describes a switch, such as `shop/user off` or `all limits shadow`. */
export function describeSwitch({ mode, ...at }: ModeSwitch): string {
  return `${describeLimits(at)} ${mode}`;
}

/** Describes the limits of a switch, such as `shop/user` or `the domain shop`. */
export function describeLimits({ scope, name }: SwitchedLimits): string {
  if (scope === "all") return "all limits";
  return scope === "limit" ? name : `the ${scope} ${name}`;
}

function isSame(one: SwitchedLimits, other: SwitchedLimits): boolean {
  return one.scope === other.scope && one.name === other.name;
}
