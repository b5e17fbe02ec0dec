/** How smoothly the playground paints while a slider moves, and how soon it shows 50 000 decisions. */
import type { Page } from "playwright-core";
import { DEFAULT, type Setup } from "../../site/model/index.ts";
import { median, quantile } from "../numbers.ts";
import { PlaygroundBrowser } from "../playground/browser.ts";
import { moveSlider, processorTime, redraw } from "../playground/frames.ts";
import { groupOf, rowOf } from "../rows.ts";
import { type Contestant, interleave } from "../run.ts";
import type { Group, Progress, Suite } from "./suite.ts";

const ROUNDS = 5;
const POSITIONS = 100;

/** Each position admits another number, and nearly all are refused: all three pictures have points. */
const TRAFFIC = {
  "10 000 decisions": "1000/s for 10s",
  // Of so many, the least capacity is searched too.
  "5000 decisions": "500/s for 10s",
  "10 decisions": "1/s for 10s",
};

type Smoothness = {
  readonly middle: number;
  readonly p95: number;
  readonly pictures: number;
  readonly settled: number;
  readonly busy: number;
};

export const playground: Suite = async (progress) => {
  await using browser = await PlaygroundBrowser.start();
  return [...(await sliding(browser, progress)), await painting(browser, progress)];
};

async function sliding(browser: PlaygroundBrowser, progress: Progress): Promise<readonly Group[]> {
  const contestants: Contestant<Smoothness>[] = [];
  for (const [name, traffic] of Object.entries(TRAFFIC)) {
    const page = await browser.open(setupOf(traffic));
    const used = await processorTime(page);
    contestants.push({ name, measure: () => smoothness(page, used) });
  }
  const title = "while a slider moves";
  const measured = await interleave(contestants, { title, rounds: ROUNDS, progress });
  return [
    groupOf(`${title}, frames`, measured, { figure: "middle", unit: "ms, median" }),
    groupOf(`${title}, slow frames`, measured, { figure: "p95", unit: "ms, p95" }),
    groupOf(`${title}, pictures`, measured, { figure: "pictures", unit: "of 100 positions" }),
    groupOf("the main thread, a picture", measured, { figure: "busy", unit: "CPU ms" }),
    groupOf("from its last position to the picture", measured, { figure: "settled", unit: "ms" }),
  ];
}

async function smoothness(page: Page, used: () => Promise<number>): Promise<Smoothness> {
  await page.bringToFront();
  const before = await used();
  const { frames, pictures, settled } = await moveSlider(page, POSITIONS);
  const busy = ((await used()) - before) / pictures;
  return { middle: median(frames), p95: quantile(frames, 0.95), pictures, settled, busy };
}

async function painting(browser: PlaygroundBrowser, progress: Progress): Promise<Group> {
  const page = await browser.open(setupOf("5000/s for 10s"));
  const times: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const time = await redraw(page, 20 + round);
    if (round > 0) times.push(time);
  }
  const title = "from a change to the picture of 50 000 decisions";
  progress(`${title}: ${times.map(Math.round).join(", ")} ms`);
  return { title, rows: [rowOf({ name: "played and painted", unit: "ms" }, times)] };
}

function setupOf(traffic: string): Setup {
  const [limit] = DEFAULT.limits;
  if (limit === undefined) throw new Error("the default has no limit");
  return { ...DEFAULT, limits: [{ ...limit, capacity: 100 } as typeof limit], traffic };
}
