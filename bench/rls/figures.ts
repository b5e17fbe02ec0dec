/** The columns of what h2load saw: ` p50` and ` p99` stand behind the contestants' names. */
export const COLUMNS = {
  speed: { figure: "speed", unit: "requests a second" },
  p50: { figure: "p50", unit: "µs", suffix: " p50" },
  p99: { figure: "p99", unit: "µs", suffix: " p99" },
} as const;
