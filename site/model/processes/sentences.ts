/** What processes came to, in sentences. All functions are pure. */
import { counted, numberText, timeText } from "../texts.ts";
import { type ProcessRow, STEP } from "./rows.ts";
import { type ProcessesSetup, workOf } from "./setup.ts";

/** A process that has ended: units that it held then, idle or in flight. */
export type ProcessEnd = {
  readonly name: string;
  readonly units: number;
  readonly inFlight: number;
};

/** The calls of a process. */
export function totalsOf({ admitted, refused }: Pick<ProcessRow, "admitted" | "refused">) {
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  return { admitted: sum(admitted), refused: sum(refused) };
}

export function totalSentence(play: {
  readonly rows: readonly ProcessRow[];
  readonly storeCalls: number;
}): string {
  const totals = play.rows.map(totalsOf);
  const admitted = totals.reduce((sum, one) => sum + one.admitted, 0);
  const asked = totals.reduce((sum, one) => sum + one.refused, admitted);
  const perCall =
    asked === 0 ? "" : `, ${numberText((100 * play.storeCalls) / asked)} for each 100`;
  const store = `${counted(play.storeCalls, "call")} to the store${perCall}`;
  return `${numberText(admitted)} of ${counted(asked, "call")} admitted, ${numberText(asked - admitted)} refused; ${store}.`;
}

export function endSentence(
  setup: ProcessesSetup,
  { name, units, inFlight }: ProcessEnd,
  missing: readonly number[],
): string {
  const who = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const at = timeText(setup.at * 1000);
  if (setup.givesBack) {
    const rest = inFlight === 0 ? "" : `, and ends ${counted(inFlight, "call")} at work`;
    return `${who} ends at ${at}: it gives back ${counted(units - inFlight, "unit")} at once${rest}.`;
  }
  const held = `${who} is killed at ${at} with ${counted(units, "unit")}`;
  if (units === 0) return `${held}: nothing is missing.`;
  if (workOf(setup) === undefined) {
    return `${held}: they count as used, and come back as the limit refills.`;
  }
  const last = missing.findLastIndex((count) => count > 0) + 1;
  if (last === missing.length) return `${held}: not all are back within the minute.`;
  const after = timeText(last * STEP - setup.at * 1000 + STEP);
  return `${held}: they come back as its leases expire, all within ${after}.`;
}
