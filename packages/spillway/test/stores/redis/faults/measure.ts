import { runFault } from "./fault-run.ts";
import { SERVER_FAULTS } from "./server-faults.ts";

for (const fault of SERVER_FAULTS) {
  const t = performance.now();
  const o = await runFault(fault);
  console.log("##", fault.name, Math.round(performance.now() - t), "ms; healed", o.healed);
  for (const l of o.limits) console.log(l, o.account(l), "unknown", o.unknown);
  for (const r of o.reports) {
    if (r.errors.length) console.log(r.errors);
    for (const [n, p] of Object.entries(r.phases))
      console.log(
        n,
        Math.round(p.ms),
        p.answered,
        p.degraded,
        JSON.stringify(p.events),
        p.tallies.map(
          (t) =>
            `${t.limit}: asked ${t.asked} adm ${t.admitted} ref ${JSON.stringify(t.refused)} deg ${JSON.stringify(t.degraded)} med ${t.median} max ${t.longest.toFixed(0)}`,
        ),
      );
  }
}
