/** What `examples/deploy` says of the service, against the service. No image is built here. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import type { VariableOption } from "../../../src/process/options/option.ts";
import { serveOptions } from "../../../src/process/options/serve-options.ts";
import { rulesOf } from "../../support/rules.ts";
import { serve } from "../../support/service.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

const DEPLOY = new URL("../../../../../examples/deploy/", import.meta.url);
const read = (name: string) => readFileSync(new URL(name, DEPLOY), "utf8");
const manifest = JSON.parse(
  readFileSync(new URL("../../../package.json", import.meta.url), "utf8"),
);

const OPTIONS = serveOptions();
/** Those that are read without an option of their own. */
const OTHERS = ["SPILLWAY_ADMIN_TOKEN"];

/** The arguments of `spillway`, as an image or a unit has them. */
function expectCommand(args: readonly string[]): void {
  expect(args.slice(0, 2)).toEqual(["serve", "/etc/spillway"]);
  for (let at = 2; at < args.length; at += 2) {
    const option = OPTIONS.find(({ long }) => long === args[at]);
    expect(option, `${args[at]} is an option`).toBeDefined();
    option?.parseArg?.(args[at + 1] ?? "", undefined);
  }
}

function expectVariable(name: string): void {
  expect([...OPTIONS.map((option) => (option as VariableOption).variable), ...OTHERS]).toContain(
    name,
  );
}

const dockerfile = read("Dockerfile");
const instruction = (name: string) =>
  [...dockerfile.matchAll(new RegExp(`^${name} (.*)$`, "gm"))].map(([, rest = ""]) => rest);

describe("Dockerfile", () => {
  it("starts the command of the package, as a user without rights", () => {
    const [entry = ""] = instruction("ENTRYPOINT");
    const [node, script] = JSON.parse(entry);
    expect(node).toBe("/nodejs/bin/node");
    expect(script).toBe(`/app/node_modules/${manifest.name}/${join(manifest.bin.spillway)}`);
    expectCommand(JSON.parse(instruction("CMD").at(-1) ?? ""));
    expect(instruction("USER")).toEqual(["nonroot"]);
    expect(instruction("FROM").at(-1)).toMatch(/^gcr\.io\/distroless\/nodejs24-\S+:nonroot$/);
    for (const from of instruction("FROM")) expect(from).not.toMatch(/:latest|^[^:]+$/);
  });

  it("asks for the health of a service that runs, and of one that does not", async () => {
    const [, command = ""] = /CMD (\[.*\])$/.exec(instruction("HEALTHCHECK")[0] ?? "") ?? [];
    const [, ...args] = JSON.parse(command);
    const { url } = await serve("domain: shop");
    const exitCode = (port: string) =>
      new Promise((resolve) => {
        spawn(process.execPath, args, { env: { PORT: port } }).once("exit", resolve);
      });
    expect(await exitCode(new URL(url).port)).toBe(0);
    expect(await exitCode("1")).toBe(1);
  });
});

describe("compose.yaml", () => {
  const { services } = parse(read("compose.yaml"));

  it("starts a service that there is, with what it can be started with", () => {
    expectCommand(services.spillway.command);
    Object.keys(services.spillway.environment).forEach(expectVariable);
    expect(services.spillway.volumes).toEqual(["./rules:/etc/spillway:ro"]);
    expect(existsSync(new URL(services.spillway.build.dockerfile, new URL("../../", DEPLOY)))).toBe(
      true,
    );
    expect(new URL(services.spillway.command.at(-1)).hostname in services).toBe(true);
  });

  it("has rules that are rules", () => {
    const names = readdirSync(new URL("rules/", DEPLOY));
    for (const name of names) expect(rulesOf(read(`rules/${name}`)).domains.size).toBe(1);
    expect(names).not.toEqual([]);
  });
});

describe("kubernetes.yaml", () => {
  const all = parseAllDocuments(read("kubernetes.yaml")).map((one) => one.toJS());
  const ofKind = (kind: string) => all.find((one) => one.kind === kind);
  const { spec } = ofKind("Deployment").spec.template;
  const [container] = spec.containers;

  it("is of five parts that fit each other", () => {
    expect(all.map(({ kind }) => kind)).toEqual([
      "ConfigMap",
      "Deployment",
      "Service",
      "PodDisruptionBudget",
    ]);
    const { name } = ofKind("ConfigMap").metadata;
    expect(spec.volumes).toEqual([{ name: "rules", configMap: { name } }]);
    expect(container.volumeMounts).toMatchObject([{ name: "rules", mountPath: "/etc/spillway" }]);
    const labels = ofKind("Deployment").spec.template.metadata.labels;
    expect(ofKind("Service").spec.selector).toEqual(labels);
    expect(ofKind("PodDisruptionBudget").spec.selector.matchLabels).toEqual(labels);
    const ports = container.ports.map((port: { name: string }) => port.name);
    for (const { targetPort } of ofKind("Service").spec.ports) expect(ports).toContain(targetPort);
  });

  it("starts what there is, and asks what is answered", async () => {
    expectCommand(container.args);
    for (const { name } of container.env) expectVariable(name);
    const { url } = await serve("domain: shop");
    for (const probe of ["startupProbe", "readinessProbe", "livenessProbe"]) {
      expect((await fetch(url + container[probe].httpGet.path)).status).toBe(200);
    }
    for (const text of Object.values(ofKind("ConfigMap").data)) {
      expect(rulesOf(String(text)).domains.size).toBe(1);
    }
  });

  it("needs no right", () => {
    expect(spec.securityContext.runAsNonRoot).toBe(true);
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
  });
});

describe("spillway.service", () => {
  const unit = read("spillway.service");
  const [, start = ""] = /^ExecStart=(.*)$/m.exec(unit) ?? [];

  it("starts the command of the package", () => {
    const [node, script = "", ...args] = start.split(" ");
    expect(node).toBe("/usr/bin/node");
    expect(script).toMatch(
      new RegExp(`/node_modules/${manifest.name}/bin/${basename(manifest.bin.spillway)}$`),
    );
    expectCommand(args);
  });

  const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;

  // It wants the programs of a unit to be there.
  it.skipIf(!hasSystemd)("is a unit to systemd-analyze, where that is installed", () => {
    const file = join(temporaryDirectory(), "spillway.service");
    writeFileSync(file, unit.replace("/usr/bin/node", process.execPath));
    const verified = spawnSync("systemd-analyze", ["verify", "--man=no", file], {
      encoding: "utf8",
    });
    const own = verified.stderr.split("\n").filter((line) => line.includes("spillway"));
    expect(own).toEqual([]);
    const args = ["security", "--offline=yes", "--threshold=20", "--no-pager", file];
    const { status, stdout } = spawnSync("systemd-analyze", args, { encoding: "utf8" });
    expect(status, stdout).toBe(0);
  });
});
