/** Administrators read budgets and modes, and change them one after the other. */
import type { Clock, LimitMode, Warn } from "spillway";
import { listRules } from "../../rules/index.ts";
import type { KeyRequest, SettleRequest, ValuesResponse } from "../contracts.ts";
import { RuleModes } from "../modes/rule-modes.ts";
import { RequestError } from "../request-error.ts";
import {
  type AuditDraft,
  type AuditEntry,
  AuditError,
  type AuditLog,
  MOST_ENTRIES,
} from "./audit.ts";
import { budgetsNamed, unknownName } from "./budget-names.ts";
import { CHANGES, type ChangeName } from "./changes/index.ts";
import type {
  AdminState,
  AdminTarget,
  BudgetReport,
  ChangeBody,
  ChangeKind,
  ChangePlan,
  TopKeysReport,
} from "./contracts.ts";
import { type DirectCall, draftOfDirect } from "./direct-calls.ts";
import type { KeyDigests } from "./key-digests.ts";
import { latestOn, overrideIn } from "./latest-changes.ts";
import { describeFailure, describeTry, isUnavailable } from "./tries.ts";
import { checkVersion, versionOf } from "./versions.ts";

export type AdministrationOptions = {
  readonly target: AdminTarget;
  readonly audit: AuditLog;
  readonly digests: KeyDigests;
  readonly clock: Clock;
  /** Whether the most asked keys are shown as they are. Otherwise as digests. */
  readonly showsKeys: () => boolean;
  /** Receives each entry of the audit log, for the service's own log. */
  readonly onEntry: (entry: AuditEntry) => void;
  /** Receives a refused try that could not be written. */
  readonly warn: Warn;
};

/** A try that was refused. */
export type RefusedTry = {
  readonly what: string;
  readonly by: string;
  /** The body, if it was read. */
  readonly body: unknown;
  readonly error: RequestError;
};

/** The limit whose keys are wanted, if not those of all, and the maximum number of keys. */
type TopKeysQuery = { readonly limit: string | undefined; readonly count: number };

/** How often a version is compared with a log that other services append to. */
const MOST_CHECKS = 100;

type Versioned<T> = T & { readonly version: number };
type BudgetsReport = { readonly budgets: readonly BudgetReport[] };

export class Administration {
  readonly #options: AdministrationOptions;
  readonly #state: AdminState;
  /** Changes run one after the other, so that each is checked against those before it. */
  #last: Promise<unknown> = Promise.resolve();
  /** Errors of changes whose entries were written, or could not be. */
  readonly #noted = new WeakSet<Error>();

  constructor(options: AdministrationOptions) {
    this.#options = options;
    this.#state = {
      target: options.target,
      service: options.audit.service,
      switches: [],
    };
  }

  /** Where the audit log is kept, for people. */
  get auditedIn(): string {
    return this.#options.audit.where;
  }

  /** Reads budgets. @throws RequestError `unknown-domain`, `unknown-limit`, `unavailable` */
  async budgets({ domain, descriptors }: KeyRequest): Promise<Versioned<BudgetsReport>> {
    const { target, digests } = this.#options;
    const named = budgetsNamed(target.rules(), { domain, descriptors });
    const request = { domain, descriptors };
    // Read first: a change in between makes the version too old, and is noticed.
    const entries = await this.entries(MOST_ENTRIES);
    const [{ values }, own] = await Promise.all([
      target.execute({ verb: "value", request }),
      target.execute({ verb: "ownValue", request }),
    ]).catch(throwUnread);
    const modes = new RuleModes(this.#state.switches);
    const budgets = named.flatMap(({ rule, key, budget }, place) => {
      const value = values[place];
      if (value === undefined) return [];
      const digest = digests.of({ limit: rule.name, key });
      const mode = modes.of(rule);
      const override = overrideIn(entries, { budget, value: own.values[place] });
      const changed = latestOn(entries, { budget });
      return [{ budget, limit: rule.name, mode, digest, value, override, changed }];
    });
    return { version: versionOf(entries), budgets };
  }

  /** Returns the switched modes, and the mode of each limit that they concern. */
  async modes() {
    const version = versionOf(await this.entries(1));
    const { switches, target } = this.#state;
    const modes = new RuleModes(switches);
    const limits = listRules(target.rules()).map((rule) => ({
      limit: rule.name,
      mode: modes.of(rule) satisfies LimitMode,
    }));
    return { version, switches, limits };
  }

  /** Returns the most asked keys of all limits, or of one. @throws RequestError `unknown-limit` */
  async topKeys({ limit, count }: TopKeysQuery): Promise<TopKeysReport> {
    const { target, digests, showsKeys } = this.#options;
    const names = listRules(target.rules()).map(({ name }) => name);
    if (limit !== undefined && !names.includes(limit))
      throw unknownName({ scope: "limit", name: limit }, names);
    const { period, asks, keys, missing } = await target.topKeys();
    const shown = keys.filter((one) => limit === undefined || one.limit === limit).slice(0, count);
    return {
      period,
      asks,
      ...(missing !== undefined && { missing }),
      keys: shown.map(({ key, entries, ...one }) => {
        return { ...one, key: showsKeys() ? entries : digests.of({ limit: one.limit, key }) };
      }),
    };
  }

  /** Settles estimates. @throws RequestError; SpillwayError `unavailable` */
  async settle(request: SettleRequest): Promise<ValuesResponse> {
    const { target } = this.#options;
    budgetsNamed(target.rules(), request);
    return target.execute({ verb: "settle", request });
  }

  /**
   * Returns the newest entries of the audit log, the oldest of them first.
   *
   * @param count At most `MOST_ENTRIES`.
   * @throws RequestError `unavailable`
   */
  async entries(count: number): Promise<readonly AuditEntry[]> {
    try {
      return await this.#options.audit.recent(count);
    } catch (error) {
      if (!(error instanceof AuditError)) throw error;
      throw new RequestError({ status: 503, code: "unavailable", detail: error.message });
    }
  }

  /**
   * Makes a change: checks it, writes it into the audit log, and carries it out.
   *
   * @throws RequestError; SpillwayError `unavailable`, when it may have taken effect.
   */
  change(name: ChangeName, body: ChangeBody, by: string): Promise<object> {
    return this.#inTurn(async () => {
      const kind: ChangeKind = CHANGES[name];
      const plan = await this.#planned(kind, { body, what: name, by });
      const draft = this.#draftOf(plan, { what: name, by, reason: body.reason });
      const entry = await this.#accept(plan, draft, body.version);
      try {
        return { version: entry.version, ...(await plan.carryOut()) };
      } catch (error) {
        await this.#noteFailure(entry, error);
        throw error;
      }
    });
  }

  /** Writes a call of the service's own port. @throws RequestError `not-audited` */
  async noteDirect(call: DirectCall): Promise<void> {
    const { target, clock } = this.#options;
    const draft = draftOfDirect(call, target.rules(), clock());
    await this.#inTurn(() => this.#append(draft));
  }

  /** Writes a refused try into the audit log, unless `change` has done so. It never rejects. */
  async noteRefusal({ what, by, body, error }: RefusedTry): Promise<void> {
    if (this.#noted.has(error)) return;
    const { code, message: detail } = error;
    const draft: AuditDraft = { by, what, ...describeTry(body), outcome: "refused", code, detail };
    await this.#inTurn(() => this.#append(draft)).catch(({ message }: Error) =>
      this.#options.warn(`a refused ${what} is missing in the audit log: ${message}`),
    );
  }

  /** Plans a change. If the store gives no answer for that, the try is written. */
  async #planned(kind: ChangeKind, { body, what, by }: ChangeTry): Promise<ChangePlan> {
    try {
      return await kind.plan(this.#state, body as never);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      const detail = "The store gave no answer, so nothing was changed; try again";
      const refused = { outcome: "refused", code: "unavailable", detail } as const;
      await this.#append({ by, what, ...describeTry(body), ...refused });
      const unavailable = new RequestError({ status: 503, code: "unavailable", detail });
      this.#noted.add(unavailable);
      throw unavailable;
    }
  }

  /**
   * Writes the entry of a change. With a version, only if no newer entry is of the same subject:
   * that is checked again if another service appends one meanwhile.
   */
  async #accept(plan: ChangePlan, draft: AuditDraft, version?: number): Promise<AuditEntry> {
    const { audit } = this.#options;
    if (version === undefined) return this.#append(draft);
    for (let n = 0; n < MOST_CHECKS; n++) {
      const entries = await this.#auditing(() => audit.recent(MOST_ENTRIES));
      checkVersion(entries, plan, version);
      const entry = await this.#write(() => audit.appendAfter(draft, versionOf(entries)));
      if (entry !== undefined) return entry;
    }
    throw notAudited("Other services write into the audit log too often; try again");
  }

  #draftOf(
    { on, before, after, lasts }: ChangePlan,
    said: Pick<AuditDraft, "what" | "by" | "reason">,
  ): AuditDraft {
    const { clock } = this.#options;
    const until = lasts === undefined ? undefined : new Date(clock() + lasts).toISOString();
    return { ...said, on, outcome: "accepted", before, after, until };
  }

  /** @throws RequestError `not-audited` */
  #append(draft: AuditDraft): Promise<AuditEntry> {
    return this.#write(() => this.#options.audit.append(draft));
  }

  /** Has an entry written, and reports it. @throws RequestError `not-audited` */
  async #write<E extends AuditEntry | undefined>(append: () => Promise<E>): Promise<E> {
    const entry = await this.#auditing(append);
    if (entry !== undefined) this.#options.onEntry(entry);
    return entry;
  }

  /** Calls the audit log for a change. @throws RequestError `not-audited` */
  async #auditing<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof AuditError)) throw error;
      const unwritten = notAudited(error.message);
      this.#noted.add(unwritten);
      throw unwritten;
    }
  }

  /** Writes that an accepted change was not carried out, or may not have been. */
  async #noteFailure({ by, what, on, version }: AuditEntry, error: unknown): Promise<void> {
    const draft: AuditDraft = { by, what, on, ...describeFailure(version, error) };
    if (error instanceof Error) this.#noted.add(error);
    await this.#append(draft).catch(({ message }: Error) => this.#options.warn(message));
  }

  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(run, run);
    this.#last = turn;
    return turn;
  }
}

type ChangeTry = Pick<RefusedTry, "what" | "by"> & { readonly body: ChangeBody };

function throwUnread(error: unknown): never {
  if (!isUnavailable(error)) throw error;
  const detail = "The store gave no answer, so nothing is known of these budgets; try again";
  throw new RequestError({ status: 503, code: "unavailable", detail });
}

function notAudited(found: string): RequestError {
  const detail = `${found}. Nothing was changed, because each change is written first`;
  return new RequestError({ status: 503, code: "not-audited", detail });
}
