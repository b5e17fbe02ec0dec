/** The name and the description of every series. `docs/service/metrics.md` has the same names. */

export const COUNTERS = {
  spillway_decisions_total:
    "Descriptors that met a limit, by the limit that decided and what it decided",
  spillway_checks_total:
    "Descriptors that met a limit, by the limit that decided and what it decided",
  spillway_units_total: "Units that were admitted",
  spillway_degraded_decisions_total: "Decisions that were made while the store gave no answer",
  spillway_descriptor_decisions_total: "Decisions by values of requests, where a rule asks for it",
  spillway_unmatched_descriptors_total:
    "Descriptors of a known domain that no limit is for, or whose limit was replaced",
  spillway_unknown_domain_requests_total: "Requests for a domain that no rules are for",
  spillway_requests_total: "Requests that were answered, by HTTP status or gRPC status",
  spillway_defences_total: "Connections and messages that a bound made the service cut or refuse",
  spillway_store_errors_total: "Commands that got no answer at all",
  spillway_leases_total: "Leases, by what became of them",
  spillway_reservations_total: "Times that units were taken ahead of time",
  spillway_store_events_total: "What befell a shared store, in calls",
  spillway_memory_evictions_total: "Keys forgotten too early, for want of room",
  spillway_memory_turned_away_total: "Requests refused because of those",
  spillway_rule_loads_total: "Times that rule files were read: bad ones change nothing",
  ratelimit_service_rate_limit_total_hits: "Hits asked for",
  ratelimit_service_rate_limit_within_limit: "Hits within the limit",
  ratelimit_service_rate_limit_near_limit: "Hits within the limit and near it",
  ratelimit_service_rate_limit_over_limit: "Hits over the limit",
  ratelimit_service_rate_limit_shadow_mode: "Hits over a limit in shadow mode",
  ratelimit_service_config_load_success: "Rule files read",
  ratelimit_service_config_load_error: "Rule files that are wrong",
  ratelimit_service_global_shadow_mode: "Passed by --shadow",
  ratelimit_service_should_rate_limit_error: "Calls without a decision",
  ratelimit_service_total_requests: "Calls of gRPC",
} as const;

export const GAUGES = {
  spillway_connections: "Connections that are open",
  spillway_held_bytes: "Bytes of messages that have begun and are not decided",
  spillway_store_breaker_open: "1 while a node is not asked, but for a probe a second",
  spillway_memory_keys: "Keys in memory",
  spillway_memory_max_keys: "The most there can be",
  spillway_rules_current: "0 while the files are wrong and old rules hold",
  spillway_rules_loaded_timestamp_seconds: "When the rules in use were read",
  spillway_limits: "Limits of the rules in use",
} as const;

export const HISTOGRAMS = {
  spillway_request_duration_seconds: "From when a request is handled until its answer is written",
  spillway_store_call_duration_seconds:
    "From a command to the store's answer, or to the answer without it",
  spillway_event_loop_delay_seconds: "The longest delay of the event loop in each second",
  ratelimit_service_response_time_seconds: "How long calls of gRPC took",
} as const;
