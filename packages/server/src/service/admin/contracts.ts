/** The contracts of an administration: its target, its changes and its answers. */
import type { Value } from "spillway";
import type { Rules } from "../../rules/index.ts";
import type {
  BlockRequest,
  KeyRequest,
  OverrideRequest,
  SettleRequest,
  ValuesResponse,
} from "../contracts.ts";
import type { ModeSwitch } from "../modes/mode-switch.ts";
import type { ServiceSettings } from "../settings.ts";
import type { AuditEntry } from "./audit.ts";

/** A call on budgets, which any process of the service can make. Plain data. */
export type BudgetCall =
  | {
      readonly verb: "value" | "ownValue" | "reset" | "unblock" | "endOverride";
      readonly request: KeyRequest;
    }
  | { readonly verb: "block"; readonly request: BlockRequest }
  | { readonly verb: "override"; readonly request: OverrideRequest }
  | { readonly verb: "settle"; readonly request: SettleRequest };

/** How often a key was asked for. */
export type KeyCount = {
  /** The name of the limit. */
  readonly limit: string;
  /** The budget's key; undefined if the limit has one for all. */
  readonly key: string | undefined;
  /** The entries of a descriptor that leads to it, such as `user=ann`. */
  readonly entries: string;
  /** Requests: too high by `error` at most, and never too low. */
  readonly asks: number;
  readonly error: number;
  /** Refused requests that were counted: never too high. */
  readonly refusals: number;
};

/** The keys that are asked for most, and the time in which they were counted. */
export type KeyCounts = {
  /** The length of that time, in milliseconds. */
  readonly period: number;
  /** All requests in that time, of any key. */
  readonly asks: number;
  /** The most frequent first. */
  readonly keys: readonly KeyCount[];
  /** The highest count that a key which is not among them may have. */
  readonly leastCount: number;
};

/** The counts of several processes. */
export type ProcessCounts = KeyCounts & {
  /** How many of them have not answered in time; absent if all have. */
  readonly missing?: number;
};

/** The processes that an administration acts on: this one, or all workers. */
export type AdminTarget = {
  /** Returns the rules in use. */
  readonly rules: () => Rules;
  /** The settings for all requests. */
  readonly settings: ServiceSettings;
  /** @throws RequestError; SpillwayError `unavailable` */
  readonly execute: (call: BudgetCall) => Promise<ValuesResponse>;
  /**
   * Sets the switched modes in every process. Resolves once all decide by them.
   *
   * @throws RequestError `unavailable` if one has not confirmed it: it may follow later.
   */
  readonly setModes: (switches: readonly ModeSwitch[]) => Promise<void>;
  /** Returns the most asked keys of all processes that answer in time. */
  readonly topKeys: () => Promise<ProcessCounts>;
};

/** The most asked keys, as administrators read them. */
export type TopKeysReport = Pick<ProcessCounts, "period" | "asks" | "missing"> & {
  /** `key` is a digest or, if keys are shown, the entries of a descriptor. */
  readonly keys: readonly (Omit<KeyCount, "key" | "entries"> & { readonly key: string })[];
};

/** Fields of every change. */
export type ChangeBody = {
  /** Why, for the audit log: from 1 to 500 characters. */
  readonly reason?: string | undefined;
  /**
   * The version that the caller has last read. The change is refused if its subject was changed
   * after that. Default: it is not checked.
   */
  readonly version?: number | undefined;
};

/** A change that was checked, and can be carried out. */
export type ChangePlan = {
  /** The budgets or limits that it concerns, for the audit log. */
  readonly on: readonly string[];
  readonly before: unknown;
  readonly after: unknown;
  /** How long the change lasts, in milliseconds; undefined if it does not end by itself. */
  readonly lasts?: number | undefined;
  /** Whether an earlier entry changed the same subject. */
  readonly isSameSubject: (entry: AuditEntry) => boolean;
  /** Carries it out, and returns the new state. */
  readonly carryOut: () => Promise<object>;
};

/** The state that changes work on. */
export type AdminState = {
  readonly target: AdminTarget;
  /** The name of this service in its entries; undefined in the log of one service alone. */
  readonly service: string | undefined;
  switches: readonly ModeSwitch[];
};

/** A kind of change, such as a block. Each is a file of `changes/`. */
export type ChangeKind<B extends ChangeBody = never> = {
  /** Checks the names in a body, and reads the state before. @throws RequestError */
  readonly plan: (state: AdminState, body: B) => Promise<ChangePlan>;
};

/** The override of a budget's own limit, as administrators read it. */
export type OverrideReport = {
  /** How long it still lasts, in milliseconds. */
  readonly for: number;
  /** The most units that the key can hold under it. */
  readonly capacity: number;
  /** The latest accepted override; undefined if none is known. */
  readonly by: AuditEntry | undefined;
};

/** A budget as administrators read it. */
export type BudgetReport = {
  /** Its name with the values of its key, such as `shop/user=ann`. */
  readonly budget: string;
  readonly limit: string;
  readonly mode: ModeSwitch["mode"];
  /** The digest of its key in `topKeys`. */
  readonly digest: string;
  /** Its units; of several limits that apply, those of the tightest. */
  readonly value: Value;
  /** The override in force; undefined if there is none. */
  readonly override: OverrideReport | undefined;
  /** The latest accepted change of the budget; undefined if none is known. */
  readonly changed: AuditEntry | undefined;
};
