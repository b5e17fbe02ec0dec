/** A play in a few numbers and sentences. All functions are pure. */
import type { Play } from "./play.ts";
import type { Played } from "./played.ts";
import { counted, numberText, timeText } from "./texts.ts";

export type Summary = {
  readonly admitted: number;
  readonly refused: number;
  /** The first decision that refused. */
  readonly firstRefusal: Played | undefined;
  /** The longest wait that a decision gave, in milliseconds; Infinity where none can help. */
  readonly longestWait: number;
  /** The last decision. */
  readonly last: Played | undefined;
};

export function summaryOf({ decisions }: Play): Summary {
  const admitted = decisions.filter(({ ok }) => ok).length;
  return {
    admitted,
    refused: decisions.length - admitted,
    firstRefusal: decisions.find(({ ok }) => !ok),
    longestWait: decisions.reduce((most, { retryAfter }) => Math.max(most, retryAfter), 0),
    last: decisions.at(-1),
  };
}

/** What happened, in sentences. */
export function sentencesOf(play: Play): readonly string[] {
  const { admitted, refused, firstRefusal, longestWait, last } = summaryOf(play);
  const total = `${numberText(admitted)} of ${counted(admitted + refused, "request")} admitted, ${numberText(refused)} refused.`;
  if (last === undefined) return [total];
  return [
    total,
    firstRefusal === undefined ? delaysOf(longestWait) : refusalOf(firstRefusal, longestWait),
    `After the last request at ${timeText(last.at)}, ${counted(last.remaining, "unit")} left; fully reset after ${timeText(last.resetAfter)}.`,
    ...(play.cut ? ["More requests would come back than are shown."] : []),
  ];
}

function delaysOf(longestWait: number): string {
  if (longestWait === 0) return "Nobody waits.";
  return `Nobody is refused; the longest wait for a start is ${timeText(longestWait)}.`;
}

function refusalOf({ at, request, retryAfter }: Played, longestWait: number): string {
  const first = `The first refusal is request ${request}, at ${timeText(at)}`;
  if (!Number.isFinite(retryAfter)) return `${first}: no wait can help.`;
  return `${first}: try again in ${timeText(retryAfter)}. The longest wait is ${timeText(longestWait)}.`;
}

/** One decision as a sentence. */
export function sentenceOf(played: Played): string {
  const { at, request, attempt, ok, reason, remaining, retryAfter, resetAfter } = played;
  const again = attempt > 1 ? `, attempt ${attempt}` : "";
  const answer = ok ? "admitted" : `refused (${reason})`;
  return `${timeText(at)}: request ${request}${again} ${answer}; ${counted(remaining, "unit")} left; ${waitOf(ok, retryAfter)}fully reset after ${timeText(resetAfter)}`;
}

function waitOf(ok: boolean, retryAfter: number): string {
  if (ok) return retryAfter === 0 ? "" : `starts after ${timeText(retryAfter)}; `;
  return `retry after ${timeText(retryAfter)}; `;
}
