/** Typing and moving sliders in the playgrounds: tests for a browser that the caller has. */
import { expect, test } from "vitest";
import {
  addressOf,
  columnsOf,
  csvOf,
  DEFAULT,
  leastNumber,
  numberText,
  type Play,
  playAll,
  type Setup,
  summaryOf,
} from "../model/index.ts";
import { seriousIn } from "./accessible.ts";
import { type opened, savedDecisions } from "./opened.ts";

type Tab = ReturnType<typeof opened>;

type Openers = {
  readonly open: (options: { readonly path: string }) => Tab;
  /** Opens the playground of limits with a query, and waits for its pictures. */
  readonly playground: (query: string) => Tab;
};

export function typingCases({ open, playground }: Openers): void {
  test("plays what is typed as soon as it is valid, and leaves the caret", async () => {
    const { page, complaints } = await playground(addressOf(DEFAULT));
    await page.getByLabel("Requests", { exact: true }).fill("");
    await page.keyboard.type("3 clicks in 1s");
    await page.getByText("3 of 3 requests admitted").waitFor();
    await page.waitForURL(/traffic=3\+clicks\+in\+1s/);
    await page.getByLabel("Capacity").first().fill("2");
    await page.getByText("2 of 3 requests admitted").waitFor();

    const rate = page.getByLabel("Rate", { exact: true });
    await rate.fill("9 per 60 s");
    await page.waitForURL(/limit=token\+bucket:9\/min:2/);
    for (const key of ["Home", "ArrowRight", "0"]) await page.keyboard.press(key);
    await page.waitForURL(/limit=token\+bucket:90\/min:2/);
    expect(await rate.inputValue()).toBe("90 per 60 s");
    expect(await page.evaluate("document.activeElement.selectionStart")).toBe(2);
    await page.keyboard.press("Tab");
    expect(await rate.inputValue()).toBe("90/min");
    expect(complaints).toEqual([]);
    await page.close();
  });

  test("a text that is not valid says why, and the play is marked as that of the setup before", async () => {
    const { page } = await playground(addressOf(DEFAULT));
    const requests = page.getByLabel("Requests", { exact: true });
    const isBusy = () => page.locator(".pg-plays").getAttribute("aria-busy");
    await requests.fill("20 per 2s");
    await page.getByRole("alert").getByText('such as "20 per 2s for 20s"').waitFor();
    await page.getByText("what is shown is of the setup before").waitFor();
    expect(await isBusy()).toBe("true");
    expect(await requests.getAttribute("aria-invalid")).toBe("true");
    expect(await seriousIn(page)).toEqual([]);

    await page.getByLabel("Units each").fill("2");
    const [doubled] = playAll({ ...DEFAULT, units: 2 });
    const { admitted } = summaryOf(doubled as Play);
    await page.getByText(`${admitted} of 35 requests admitted`).waitFor();
    expect([await requests.inputValue(), await isBusy()]).toEqual(["20 per 2s", "true"]);
    await requests.fill("20 in 2s");
    await page.getByText("what is shown is of the setup before").waitFor({ state: "detached" });
    expect(await isBusy()).toBe("false");
    await page.close();
  });

  test("an example replaces what is typed, and is marked until something changes", async () => {
    const { page } = await playground(addressOf(DEFAULT));
    const examples = page.getByRole("group", { name: "Examples" });
    const pressed = () => examples.locator("[aria-pressed=true]").allInnerTexts();
    const requests = page.getByLabel("Requests", { exact: true });
    expect(await examples.getByText("Examples", { exact: true }).isVisible()).toBe(true);
    await requests.fill("nonsense");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("nonsense").waitFor();
    expect(await pressed()).toEqual(["Clicks"]);
    await examples.getByRole("button", { name: "Clicks" }).click();
    expect(await requests.inputValue()).toBe(DEFAULT.traffic);
    expect(await page.locator(".pg-stale").count()).toBe(0);
    await page.getByLabel("Units each").fill("2");
    await page.getByText("requests admitted").waitFor();
    expect(await pressed()).toEqual([]);
    await page.close();
  });

  test("shows all pictures of a play on a screen of 900 pixels", async () => {
    const { page } = await playground(addressOf(DEFAULT));
    const picture = await page.locator(".pg-picture").boundingBox();
    expect((picture?.y ?? 900) + (picture?.height ?? 900)).toBeLessThanOrEqual(900);
    expect(await page.locator(".pg-picture canvas").count()).toBe(3);
    await page.close();
  });

  test("of processes plays a share as soon as it is valid", async () => {
    const { page } = await open({ path: "shares/playground.html" });
    await page.getByRole("button", { name: "Shares", exact: true }).click();
    await page.getByLabel("Share", { exact: true }).fill("soon");
    await page.getByRole("alert").getByText('the time "soon"').waitFor();
    await page.locator(".pg-stale[aria-busy=true]").waitFor();
    await page.getByLabel("Share", { exact: true }).fill("5s");
    await page.waitForURL(/share=5s/);
    expect(await page.locator(".pg-stale").count()).toBe(0);
    await page.close();
  });

  test("of a slider that moves fast, the last position is shown, with the least capacity", async () => {
    const [limit] = DEFAULT.limits;
    if (limit === undefined) throw new Error("no limit");
    const setup = { ...DEFAULT, traffic: "500/s for 10s", limits: [{ ...limit, capacity: 100 }] };
    const { page, complaints } = await playground(addressOf(setup as Setup));
    // Sixty setups in one turn of the page, so before the worker can have answered the first.
    await page.evaluate(`(async () => {
      const slider = document.querySelector("[aria-label='Limit: capacity']");
      for (let position = 101; position <= 160; position++) {
        slider.value = String(position);
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        // The page follows changes a few microtasks later.
        for (let task = 0; task < 9; task++) await undefined;
      }
    })()`);
    await page.getByText("161 of 5 000 requests admitted").waitFor();
    const least = leastNumber(setup as Setup, limit);
    await page.getByRole("button", { name: `all: ${numberText(least?.value ?? 0)}` }).waitFor();
    const last = { ...setup, limits: [{ ...limit, capacity: 160 }] };
    expect(await savedDecisions(page)).toEqual(
      playAll(last as Setup).map((play) => csvOf(columnsOf(play).columns)),
    );
    expect(complaints).toEqual([]);
    await page.close();
  });
}
