/** A process that asks as fast as answers come: warms up, says so, measures when it may, and reports. */
import { once } from "node:events";
import { setImmediate as turn } from "node:timers/promises";
import { type Ask, CONTENDERS, isAdmitted } from "./contenders.ts";
import {
  CALLERS,
  type Errand,
  MEASURED,
  type Report,
  TRAFFICS,
  type Traffic,
  WARM_UP,
} from "./setting.ts";

/** Asks of one caller between turns of the event loop: what comes from elsewhere has to get in. */
const ASKS_IN_TURN = 64;

/** Asks until its time is over; what it asks of a key, and is admitted, is counted. */
async function askFor(ms: number, ask: Ask, { keys, order }: Traffic): Promise<Report> {
  const numbers = order(errand.process);
  const asked = new Float64Array(keys.length);
  const admitted = new Float64Array(keys.length);
  const began = Date.now();
  let next = 0;
  const caller = async () => {
    while (Date.now() < began + ms) {
      for (let left = ASKS_IN_TURN; left > 0; left--) {
        const index = numbers[next++ % numbers.length] as number;
        (asked[index] as number)++;
        const given = ask(keys[index] as string);
        const answer = given instanceof Promise ? await given : given;
        if (isAdmitted(answer)) (admitted[index] as number)++;
      }
      await turn();
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return { asked, admitted, began, ended: Date.now() };
}

const errand: Errand = JSON.parse(process.argv[2] ?? "");
const traffic = TRAFFICS.find(({ name }) => name === errand.traffic) as Traffic;
const { ask, close } = (CONTENDERS[errand.contender] as (typeof CONTENDERS)[string])(
  errand.url,
  errand.pace,
);
// Connects: while nobody asks, a full bucket gains nothing.
await ask("connect");
const warm = await askFor(WARM_UP, ask, traffic);
process.send?.(warm);
await once(process, "message");
process.send?.(await askFor(MEASURED, ask, traffic));
await once(process, "message");
await close?.();
process.disconnect?.();
process.exit();
