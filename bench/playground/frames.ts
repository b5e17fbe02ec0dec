/** Frames of a page while a slider moves. What runs in the page is text: there are no types of a page here. */
import type { Page } from "playwright-core";

export type Motion = {
  /** Milliseconds between frames. */
  readonly frames: readonly number[];
  /** How often the pictures changed meanwhile. */
  readonly pictures: number;
  /** Milliseconds from the last move to its picture. */
  readonly settled: number;
};

/**
 * Moves the first slider of capacity by one position in each frame.
 *
 * Each position has an answer of its own in the text above the pictures, by which a change is seen.
 */
export async function moveSlider(page: Page, positions: number): Promise<Motion> {
  return (await page.evaluate(`(${MOVE})(${positions})`)) as Motion;
}

/** Milliseconds of a processor that the page's main thread has used: other programs do not add to them. */
export async function processorTime(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return 1000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN);
  };
}

const MOVE = `async (positions) => {
  const slider = document.querySelector(".pg-limit input[aria-label$=': capacity']");
  const text = document.querySelector(".pg-sentences");
  const frame = () => new Promise((painted) => requestAnimationFrame(painted));
  let pictures = 0;
  let last = 0;
  const observer = new MutationObserver(() => {
    pictures++;
    last = performance.now();
  });
  observer.observe(text, { subtree: true, characterData: true, childList: true });
  const frames = [];
  await frame();
  let before = performance.now();
  for (let position = 1; position <= positions; position++) {
    slider.value = String(position);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    await frame();
    const now = performance.now();
    frames.push(now - before);
    before = now;
  }
  // Until nothing has changed for half a second.
  while (performance.now() - Math.max(last, before) < 500) await frame();
  observer.disconnect();
  return { frames, pictures, settled: Math.max(0, last - before) };
}`;

/** Milliseconds from a change of the capacity to the frame after its picture. */
export async function redraw(page: Page, capacity: number): Promise<number> {
  return (await page.evaluate(`(${REDRAW})(${capacity})`)) as number;
}

const REDRAW = `async (capacity) => {
  const field = document.querySelector(".pg-limit input[type=number]");
  const text = document.querySelector(".pg-sentences");
  const frame = () => new Promise((painted) => requestAnimationFrame(painted));
  const changed = new Promise((done) => {
    const observer = new MutationObserver(() => {
      observer.disconnect();
      done();
    });
    observer.observe(text, { subtree: true, characterData: true, childList: true });
  });
  const begun = performance.now();
  field.value = String(capacity);
  field.dispatchEvent(new Event("change", { bubbles: true }));
  await changed;
  await frame();
  await frame();
  return performance.now() - begun;
}`;
