/** A change of what is exported is named by the changelog, and nothing else is. */
import { describe, expect, test } from "vitest";
import { changesBetween, differences, type Surface } from "../../api/changes.ts";

const RELEASED: Surface = {
  dam: { gate: "1", Level: "2", open: "3" },
  "dam/turbine": { Level: "2", spin: "4" },
};

/** The differences if the present is that with these changes. */
function differing(dam: Surface[string], section = "", turbine = RELEASED["dam/turbine"] ?? {}) {
  const present = { dam, "dam/turbine": turbine };
  return differences(changesBetween(RELEASED, present), section);
}

const { dam = {} } = RELEASED;
const { open: _, ...closed } = dam;
const none = { unnamed: [], untrue: [] };

test("where nothing has changed, nothing has to be named", () => {
  expect(differing(dam)).toEqual(none);
});

describe.each([
  ["added", { ...dam, shut: "5" }, "- Added `shut` to `dam`: …"],
  ["changed", { ...dam, gate: "6" }, "- Changed `gate` of `dam`: …"],
  ["removed", closed, "- Removed `open` from `dam`: …"],
])("a name that was %s", (_, present, line) => {
  test("has to be named, by the line that the message has", () => {
    expect(differing(present)).toEqual({ unnamed: [line], untrue: [] });
    expect(differing(present, `### Exports\n\n${line.replace("…", "for\n  boats.")}\n`)).toEqual(
      none,
    );
  });

  test("has to be named as what it is, with its import", () => {
    const wrong = line.replace("`dam`", "`dam/turbine`");
    expect(differing(present, wrong)).toEqual({ unnamed: [line], untrue: [wrong] });
  });

  test("is not named by prose, nor by an item of another form", () => {
    const prose = "It has `gate`, `open` and `shut` of `dam`.\n- `gate` changed.\n- Gates: `shut`.";
    expect(differing(present, prose).unnamed).toEqual([line]);
  });
});

test("what is named and has not changed is reported", () => {
  const line = "- Changed `gate` of `dam`: …";
  expect(differing(dam, line)).toEqual({ unnamed: [], untrue: [line] });
});

test("an item may name several, if each is true of each import", () => {
  const [now, turbine] = [
    { ...dam, gate: "6", Level: "7" },
    { spin: "4", Level: "7" },
  ];
  const both =
    "- Changed `Level` of `dam`,\n  `dam/turbine`: why.\n- Changed `gate` of `dam`: why.";
  expect(differing(now, both, turbine)).toEqual(none);
  const tooMuch = "- Changed `Level`, `gate` of `dam`, `dam/turbine`: why.";
  expect(differing(now, tooMuch, turbine).untrue).toEqual(["- Changed `gate` of `dam/turbine`: …"]);
});

test("an import that is new or gone has all its names named", () => {
  const { unnamed } = differences(changesBetween(RELEASED, { dam, "dam/lock": { fill: "8" } }), "");
  expect(unnamed).toEqual([
    "- Added `fill` to `dam/lock`: …",
    "- Removed `Level` from `dam/turbine`: …",
    "- Removed `spin` from `dam/turbine`: …",
  ]);
});
