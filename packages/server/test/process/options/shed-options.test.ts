/** How requests are given priorities on the command line. */
import { Command } from "commander";
import { describe, expect, it } from "vitest";
import {
  checkShed,
  proxyOptions,
  readVariables,
  type ShedOptions,
} from "../../../src/process/options/index.ts";

function read(args: readonly string[], env: Readonly<Record<string, string>> = {}): ShedOptions {
  const command = new Command().exitOverride().configureOutput({ writeErr: () => {} });
  for (const option of proxyOptions()) command.addOption(option);
  command.parse(["--to", "http://127.0.0.1:3000", ...args], { from: "user" });
  readVariables(command, env);
  return command.opts<ShedOptions>();
}

const linesOf = ({ priority = [] }: ShedOptions) =>
  priority.map(({ priority, match: { methods, path, prefix } }) =>
    [priority, methods?.join(), path?.text, prefix?.text].join("|"),
  );

describe("--priority", () => {
  it("is read in the order in which it is given", () => {
    const args = [
      "--priority",
      "critical POST,PUT /users/{id}",
      "--priority",
      " background  /a/* ;low",
    ];
    expect(linesOf(read(args))).toEqual([
      "critical|POST,PUT|/users/{id}|",
      "background|||/a",
      "low|||",
    ]);
    expect(linesOf(read(["--priority", "low GET; normal /*"]))).toEqual([
      "low|GET||",
      "normal|||/",
    ]);
  });

  it("is read from the environment, which the command line overrides", () => {
    const env = { SPILLWAY_PRIORITY: "critical /a; low", SPILLWAY_SHED: "shadow" };
    expect(linesOf(read([], env))).toEqual(["critical||/a|", "low|||"]);
    expect(linesOf(read(["--priority", "low /b"], env))).toEqual(["low||/b|"]);
    expect(read([], env).shed).toBe("shadow");
  });

  it.each([
    "",
    ";",
    "urgent /a",
    "Critical /a",
    "critical a",
    "critical post /a",
    "critical GET POST /a",
    "critical /a /b",
    "critical /a*",
    "critical /a/**",
    "critical /a//b",
    "critical /a?b",
    "critical /%zz",
    `critical ${"/a".repeat(300)}`,
  ])("is refused if it has no single meaning: %j", (text) => {
    expect(() => read(["--priority", text])).toThrow(/Expected /);
  });

  it("is refused behind one for all requests", () => {
    for (const all of ["low", "low /*"]) {
      expect(() => read(["--priority", `${all}; critical /a`])).toThrow(
        /Expected the priority of all/,
      );
      expect(() => read(["--priority", all, "--priority", "critical /a"])).toThrow(/last/);
    }
  });
});

describe("--shed", () => {
  it("is off by default, and one of three words", () => {
    expect(read([]).shed).toBe("off");
    expect(read(["--shed", "enforce"]).shed).toBe("enforce");
    expect(() => read(["--shed", "on"])).toThrow(/Expected off, shadow, enforce/);
  });

  it("is needed by the options that have no effect without it", () => {
    expect(() => checkShed(read(["--priority", "low"]))).toThrow(
      /found --priority, expected --shed/,
    );
    expect(() => checkShed(read(["--deadline-header", "x-a"]))).toThrow(/found --deadline-header/);
    checkShed(read(["--shed", "shadow", "--priority", "low", "--deadline-header", "x-a"]));
    checkShed(read([]));
  });
});

describe("--deadline-header", () => {
  it("is the name of a header", () => {
    expect(read(["--deadline-header", "X-Wait-Ms"]).deadlineHeader).toBe("x-wait-ms");
    for (const name of ["", "a b", "a:", "é"]) {
      expect(() => read(["--deadline-header", name])).toThrow(/Expected the name of a header/);
    }
  });
});
