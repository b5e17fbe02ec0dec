import {
  callsPer100,
  idealShare,
  type LimitRecording,
  type LimitScenario,
  limitTotal,
  simulateLimits,
} from "spillway/testing/simulation";

/** Plays a scenario. The page says that no limit is ever exceeded. */
export async function play(scenario: LimitScenario): Promise<LimitRecording> {
  const recording = await simulateLimits(scenario);
  const { over } = limitTotal(recording);
  if (over > 0)
    throw new Error(`${over} calls too many were admitted: ${JSON.stringify(scenario)}`);
  return recording;
}

/** Store calls for 100 calls, and what was admitted of the ideal, from an instant on. */
export async function figuresOf(scenario: LimitScenario, from: number) {
  const recording = await play(scenario);
  return { calls: callsPer100(recording, { from }), ideal: idealShare(recording, { from }) };
}

export const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
