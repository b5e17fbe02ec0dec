/** Administrators read budgets and modes, and change them one after the other. */
import { type Clock, type LimitMode, SpillwayError, type Warn } from "spillway";
import { listRules } from "../../rules/index.ts";
import type { KeyRequest, SettleRequest, ValuesResponse } from "../contracts.ts";
import { RuleModes } from "../modes/rule-modes.ts";
import { RequestError } from "../request-error.ts";
import { type AuditDraft, type AuditEntry, AuditError, type AuditLog } from "./audit.ts";
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
import { describeTry } from "./tries.ts";

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

export class Administration {
  readonly #options: AdministrationOptions;
  readonly #state: AdminState;
  /** Changes run one after the other, so that each is checked against those before it. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: AdministrationOptions) {
    this.#options = options;
    this.#state = { target: options.target, switches: [] };
  }

  /** The number of the newest entry: the version that a caller has read. */
  get version(): number {
    return this.#entries.at(-1)?.version ?? 0;
  }

  /** Where the audit log is kept, for people. */
  get auditedIn(): string {
    return this.#options.audit.where;
  }

  get #entries(): readonly AuditEntry[] {
    return this.#options.audit.recent();
  }

  /** Reads budgets. @throws RequestError `unknown-domain`, `unknown-limit` */
  async budgets({ domain, descriptors }: KeyRequest): Promise<readonly BudgetReport[]> {
    const { target, digests } = this.#options;
    const named = budgetsNamed(target.rules(), { domain, descriptors });
    const request = { domain, descriptors };
    const [{ values }, own] = await Promise.all([
      target.execute({ verb: "value", request }),
      target.execute({ verb: "ownValue", request }),
    ]);
    const modes = new RuleModes(this.#state.switches);
    return named.flatMap(({ rule, key, budget }, place) => {
      const value = values[place];
      if (value === undefined) return [];
      const digest = digests.of({ limit: rule.name, key });
      const mode = modes.of(rule);
      const override = overrideIn(this.#entries, { budget, value: own.values[place] });
      const changed = latestOn(this.#entries, { budget });
      return [{ budget, limit: rule.name, mode, digest, value, override, changed }];
    });
  }

  /** Returns the switched modes, and the mode of each limit that they concern. */
  modes() {
    const { switches, target } = this.#state;
    const modes = new RuleModes(switches);
    const limits = listRules(target.rules()).map((rule) => ({
      limit: rule.name,
      mode: modes.of(rule) satisfies LimitMode,
    }));
    return { switches, limits };
  }

  /** Returns the most asked keys of all limits, or of one. @throws RequestError `unknown-limit` */
  async topKeys({ limit, count }: TopKeysQuery): Promise<TopKeysReport> {
    const { target, digests, showsKeys } = this.#options;
    const names = listRules(target.rules()).map(({ name }) => name);
    if (limit !== undefined && !names.includes(limit))
      throw unknownName({ scope: "limit", name: limit }, names);
    const { period, asks, keys } = await target.topKeys();
    const shown = keys.filter((one) => limit === undefined || one.limit === limit).slice(0, count);
    return {
      period,
      asks,
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

  /** Returns the newest entries of the audit log, the oldest of them first. */
  entries(count: number): readonly AuditEntry[] {
    return this.#entries.slice(-count);
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
      this.#checkVersion(plan, body.version);
      const entry = await this.#write(this.#draftOf(plan, { what: name, by, reason: body.reason }));
      try {
        return { version: entry.version, ...(await plan.carryOut()) };
      } catch (error) {
        await this.#noteFailure(entry, error as Error);
        throw error;
      }
    });
  }

  /** Writes a call of the service's own port. @throws RequestError `not-audited` */
  async noteDirect(call: DirectCall): Promise<void> {
    const { target, clock } = this.#options;
    const draft = draftOfDirect(call, target.rules(), clock());
    await this.#inTurn(() => this.#write(draft));
  }

  /** Writes a refused try into the audit log. It never rejects. */
  async noteRefusal({ what, by, body, error }: RefusedTry): Promise<void> {
    const { code, message: detail } = error;
    const draft: AuditDraft = { by, what, ...describeTry(body), outcome: "refused", code, detail };
    await this.#inTurn(() => this.#write(draft)).catch(({ message }: Error) =>
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
      await this.#write({ by, what, ...describeTry(body), ...refused });
      throw new RequestError({ status: 503, code: "unavailable", detail });
    }
  }

  /** @throws RequestError `version-conflict` */
  #checkVersion({ isSameSubject }: ChangePlan, version: number | undefined): void {
    if (version === undefined) return;
    const newer = this.#entries.find(
      (entry) => entry.version > version && entry.outcome !== "refused" && isSameSubject(entry),
    );
    const [oldest] = this.#entries;
    const isForgotten = oldest !== undefined && oldest.version > version + 1;
    if (newer === undefined && !isForgotten && version <= this.version) return;
    const found = newer === undefined ? `Found the version ${version}` : describeNewer(newer);
    const detail =
      `${found}, expected no change after the version that you have read; read again, ` +
      `and repeat the change with version ${this.version} if it is still right`;
    const more = { version: this.version, ...(newer && { newer }) };
    throw new RequestError({ status: 409, code: "version-conflict", detail, more });
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
  async #write(draft: AuditDraft): Promise<AuditEntry> {
    try {
      const entry = await this.#options.audit.append(draft);
      this.#options.onEntry(entry);
      return entry;
    } catch (error) {
      if (!(error instanceof AuditError)) throw error;
      const detail = `${error.message}. Nothing was changed, because each change is written first`;
      throw new RequestError({ status: 503, code: "not-audited", detail });
    }
  }

  async #noteFailure({ by, what, on, version }: AuditEntry, error: Error): Promise<void> {
    const detail = `The change of version ${version} may have taken effect: ${error.message}`;
    const draft: AuditDraft = { by, what, on, outcome: "failed", code: "unavailable", detail };
    await this.#write(draft).catch(({ message }: Error) => this.#options.warn(message));
  }

  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(run, run);
    this.#last = turn;
    return turn;
  }
}

type ChangeTry = Pick<RefusedTry, "what" | "by"> & { readonly body: ChangeBody };

function isUnavailable(error: unknown): boolean {
  const isKnown = error instanceof RequestError || error instanceof SpillwayError;
  return isKnown && error.code === "unavailable";
}

function describeNewer({ version, what, by, at, reason }: AuditEntry): string {
  const why = reason === undefined ? "" : ` (${reason})`;
  const article = /^[aeio]/.test(what) ? "an" : "a";
  return `Found version ${version}, ${article} ${what} by ${by} at ${at}${why}`;
}
