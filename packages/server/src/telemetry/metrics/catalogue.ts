/** The name and the description of every series. `docs/service/metrics.md` has the same names. */

export const COUNTERS = {
  spillway_decisions_total:
    "Descriptors that met a limit, by the limit that decided and what it decided",
  spillway_checks_total:
    "Descriptors that met a limit, by the limit that decided and what it decided",
  spillway_units_total: "Units that were admitted",
  spillway_degraded_decisions_total: "Decisions that were made while the store gave no answer",
  spillway_descriptor_decisions_total:
    "Decisions by the values of requests, for rules with detailed_metric or value_to_metric",
  spillway_unmatched_descriptors_total:
    "Descriptors of a known domain without a limit, or whose limit was replaced",
  spillway_unknown_domain_requests_total: "Requests for a domain without rules",
  spillway_requests_total: "Requests that were answered, by HTTP status or gRPC status",
  spillway_defences_total: "Connections and messages that the service cut or refused at a bound",
  spillway_shed_total: "Requests that a proxy's shedder refused, or would have refused",
  spillway_shedder_admitted_total: "Requests that a proxy's shedder admitted",
  spillway_store_errors_total: "Commands that got no answer at all",
  spillway_leases_total: "Leases, by outcome",
  spillway_reservations_total: "Reservations of units ahead of time",
  spillway_store_events_total: "Events of a shared store, in calls",
  spillway_memory_evictions_total: "Keys forgotten too early, for lack of room",
  spillway_memory_turned_away_total: "Requests refused because of such keys",
  spillway_rule_loads_total: "Loads of rule files; invalid files change nothing",
  ratelimit_service_rate_limit_total_hits: "Hits requested",
  ratelimit_service_rate_limit_within_limit: "Hits within the limit",
  ratelimit_service_rate_limit_near_limit: "Hits within the limit and near it",
  ratelimit_service_rate_limit_over_limit: "Hits over the limit",
  ratelimit_service_rate_limit_shadow_mode: "Hits over a limit in shadow mode",
  ratelimit_service_config_load_success: "Rule files read",
  ratelimit_service_config_load_error: "Invalid rule files",
  ratelimit_service_global_shadow_mode: "Requests admitted by --shadow",
  ratelimit_service_should_rate_limit_error: "Calls without a decision",
  ratelimit_service_total_requests: "Calls of gRPC",
} as const;

export const GAUGES = {
  spillway_connections: "Open connections",
  spillway_held_bytes: "Bytes of messages that are not decided yet",
  spillway_shedder_in_flight: "Admitted requests that the servers have not answered",
  spillway_shedder_held: "Requests that last so long that they no longer count as in flight",
  spillway_shedder_waiting: "Requests that wait to be forwarded",
  spillway_shedder_capacity: "The most requests in flight, as it follows latency",
  spillway_shedder_share: "The share of requests for which there is room",
  spillway_store_breaker_open: "1 while a node receives only one probe a second",
  spillway_memory_keys: "Keys in memory",
  spillway_memory_max_keys: "The most keys in memory",
  spillway_rules_current: "0 while rule files are invalid and the previous rules stay in use",
  spillway_rules_loaded_timestamp_seconds: "When the rules in use were read",
  spillway_limits: "Limits of the rules in use",
} as const;

export const HISTOGRAMS = {
  spillway_request_duration_seconds: "From the start of a request until its response is written",
  spillway_store_call_duration_seconds:
    "From a command to the store's answer, or to the answer without it",
  spillway_event_loop_delay_seconds: "The longest delay of the event loop in each second",
  ratelimit_service_response_time_seconds: "How long calls of gRPC took",
} as const;
