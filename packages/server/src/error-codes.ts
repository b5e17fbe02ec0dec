/** Every error code of the service; `docs/service/errors.md` explains each. */

/** Mistakes in a rule file. */
export const RULE_CODES = [
  "bad-action",
  "bad-also",
  "bad-capacity",
  "bad-field-name",
  "bad-jitter",
  "bad-kind",
  "bad-match",
  "bad-max-reserved",
  "bad-mode",
  "bad-path",
  "bad-period",
  "bad-replaces",
  "bad-requests-per-unit",
  "bad-shards",
  "bad-share",
  "bad-start",
  "bad-ttl",
  "bad-unit",
  "bad-when-unavailable",
  "bad-yaml",
  "duplicate-descriptor",
  "duplicate-domain",
  "duplicate-field",
  "empty-domain",
  "empty-key",
  "field-of-other-kind",
  "file-too-large",
  "inexact-limit",
  "nothing-to-share",
  "too-deep",
  "too-long",
  "too-many-fields",
  "too-many-tokens",
  "unit-and-period",
  "unknown-field",
  "unlimited-with-limit",
  "wrong-type",
] as const;

/** Rules of valid files that can't be limits of a program. */
export const PROGRAM_RULE_CODES = ["changed-kind", "duplicate-name", "not-for-programs"] as const;

/** Probable mistakes in a valid rule file. */
export const RULE_WARNING_CODES = [
  "alike-elsewhere",
  "ignored-rate",
  "never-reached",
  "refuses-all",
  "unknown-replaces",
] as const;

/** Why a request was not decided. */
export const REQUEST_CODES = [
  "admin-closed",
  "bad-content-type",
  "bad-field",
  "bad-json",
  "bad-override",
  "bad-request",
  "bad-rules",
  "body-too-large",
  "empty-descriptors",
  "empty-domain",
  "foreign-host",
  "foreign-origin",
  "forwarding-loop",
  "headers-too-large",
  "internal",
  "missing-field",
  "no-overrides",
  "no-reservations",
  "not-audited",
  "nothing-to-block",
  "not-written",
  "request-timeout",
  "stopping",
  "token-required",
  "too-many-unfinished",
  "unavailable",
  "unknown-domain",
  "unknown-field",
  "unknown-file",
  "unknown-limit",
  "unknown-route",
  "upstream-failed",
  "upstream-full",
  "upstream-late",
  "version-conflict",
  "wrong-kind",
  "wrong-method",
  "wrong-token",
] as const;

/** Why a command could not do its work. */
export const COMMAND_CODES = [
  "address-unusable",
  "admin-refused",
  "admin-unreachable",
  "bad-admin",
  "bad-rate",
  "bad-schema",
  "bad-source",
  "bad-store",
  "bad-tls",
  "bad-token",
  "bad-traffic",
  "bad-variable",
  "file-exists",
  "migration-failed",
  "missing-package",
  "no-http-section",
  "no-rule-files",
  "no-rules",
  "no-shared-store",
  "no-such-domain",
  "port-in-use",
  "too-few-connections",
  "unreadable-path",
  "unwritable-path",
  "worker-failed",
] as const;

export type RuleCode = (typeof RULE_CODES)[number];
export type ProgramRuleCode = (typeof PROGRAM_RULE_CODES)[number];
export type RuleWarningCode = (typeof RULE_WARNING_CODES)[number];
export type RequestCode = (typeof REQUEST_CODES)[number];
export type CommandCode = (typeof COMMAND_CODES)[number];
