/** The answers of an administration listener, as JSON. */
import type { AuditEntry, ModeSwitch } from "../../service/index.ts";

/** Numbers are null if they are unbounded. */
export type ShownValue = {
  readonly limit: string;
  readonly capacity: number | null;
  readonly remaining: number | null;
  readonly resetAfter: number | null;
  readonly blockedFor: number;
  readonly penalized?: true;
};

export type BudgetsAnswer = {
  readonly version: number;
  readonly budgets: readonly {
    readonly budget: string;
    readonly mode: string;
    readonly key: string;
    readonly value: ShownValue;
    readonly override?: {
      readonly for: number;
      readonly capacity: number;
      readonly by?: AuditEntry;
    };
    readonly changed?: AuditEntry;
  }[];
};

export type ChangeAnswer = {
  readonly version: number;
  readonly budgets?: readonly string[];
  readonly values?: readonly (ShownValue | null)[];
  readonly limits?: readonly LimitInMode[];
};

export type LimitInMode = { readonly limit: string; readonly mode: string };

export type ModesAnswer = {
  readonly version: number;
  readonly switches: readonly ModeSwitch[];
  readonly limits: readonly LimitInMode[];
};

export type AuditAnswer = {
  readonly version: number;
  readonly where: string;
  readonly entries: readonly AuditEntry[];
};
