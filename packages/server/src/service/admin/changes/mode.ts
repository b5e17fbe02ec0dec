import type { LimitMode } from "spillway";
import { printable } from "spillway/support";
import { declaredMode, listRules, type Rule, type Rules } from "../../../rules/index.ts";
import {
  describeLimits,
  type SwitchedLimits,
  switchedMode,
  withSwitch,
} from "../../modes/mode-switch.ts";
import { RuleModes } from "../../modes/rule-modes.ts";
import { RequestError } from "../../request-error.ts";
import { unknownName } from "../budget-names.ts";
import type { AdminState, ChangeBody, ChangeKind, ChangePlan } from "../contracts.ts";

/** Exactly one of `limit`, `rule`, `domain` and `all` names the limits. */
export type ModeBody = ChangeBody & {
  /** The name of one limit, such as `shop/user`. */
  readonly limit?: string;
  /** The `rate_limit.name` of some limits. */
  readonly rule?: string;
  readonly domain?: string;
  readonly all?: true;
  readonly mode: LimitMode;
};

/** Switches the mode of limits. */
export const mode: ChangeKind<ModeBody> = {
  plan: async (state, body) => planMode(state, body),
};

function planMode(state: AdminState, body: ModeBody): ChangePlan {
  const at = limitsOf(body);
  const rules = listRules(state.target.rules());
  const concerned = concernedBy(at, { rules, domains: state.target.rules().domains });
  const [first] = concerned;
  if (at.scope === "limit" && first !== undefined) checkSwitchable(first, body.mode);
  const declared = first === undefined ? "enforce" : declaredMode(first);
  const before = modeAt(state, at, declared);
  const switches = withSwitch(state.switches, { ...at, mode: body.mode }, declared);
  return {
    on: [describeLimits(at)],
    before,
    after: body.mode,
    // Each service has modes of its own.
    isSameSubject: ({ what, service }) => what === "mode" && service === state.service,
    carryOut: async () => {
      // First: a process that has not confirmed them may still follow.
      state.switches = switches;
      await state.target.setModes(switches);
      const modes = new RuleModes(switches);
      return { limits: concerned.map((rule) => ({ limit: rule.name, mode: modes.of(rule) })) };
    },
  };
}

function modeAt({ switches }: AdminState, at: SwitchedLimits, declared: LimitMode): LimitMode {
  return switchedMode(switches, at) ?? (at.scope === "limit" ? declared : "enforce");
}

/** @throws RequestError `bad-field` for a limit that only its file can switch on */
function checkSwitchable(rule: Rule, mode: LimitMode): void {
  if (declaredMode(rule) !== "off" || mode === "off") return;
  const { file, line, column } = rule.place;
  const detail =
    `Found ${mode} for ${rule.name}, expected off as in ${printable(file)}:${line}:${column}; ` +
    "change the mode in that file, which is read again while the service runs";
  throw new RequestError({ status: 400, code: "bad-field", detail });
}

/** @throws RequestError `bad-field` unless exactly one field names the limits */
function limitsOf({ limit, rule, domain, all }: ModeBody): SwitchedLimits {
  const named = Object.entries({ limit, rule, domain, ...(all && { all: "" }) }).filter(
    (one): one is [SwitchedLimits["scope"], string] => one[1] !== undefined,
  );
  const [only] = named;
  if (only !== undefined && named.length === 1) return { scope: only[0], name: only[1] };
  const found = named.length === 0 ? "none" : named.map(([name]) => name).join(" and ");
  const detail = `Found ${found} of limit, rule, domain and all, expected exactly one of them`;
  throw new RequestError({ status: 400, code: "bad-field", detail });
}

type KnownRules = { readonly rules: readonly Rule[]; readonly domains: Rules["domains"] };

/** @throws RequestError `unknown-limit`, `unknown-domain` if no rule has the name */
function concernedBy(
  { scope, name }: SwitchedLimits,
  { rules, domains }: KnownRules,
): readonly Rule[] {
  if (scope === "all") return rules;
  if (scope === "domain" && domains.has(name)) return rules.filter((one) => one.domain === name);
  if (scope === "domain") throw unknownName({ scope, name }, domains.keys());
  const nameOf = (rule: Rule) => (scope === "limit" ? rule.name : rule.label);
  const found = rules.filter((rule) => nameOf(rule) === name);
  if (found.length > 0) return found;
  const known = rules.map(nameOf).filter((one) => one !== undefined);
  throw unknownName({ scope, name }, new Set(known));
}
