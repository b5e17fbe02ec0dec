/** The SBOM of a package has what it installs: no tool, and no dependency missing that is a tool as well. */
import { expect, test } from "vitest";
import { type Sbom, sbomOf } from "../../release/sbom.ts";

const refs = ["dam@1.0.0", "dam-service@1.0.0", "a@1.0.0", "@b/b@2.0.0", "tool@3.0.0", "ui@4.0.0"];

const component = (ref: string) => {
  const [name = "", version = ""] = ref.split(/(?<=.)@/);
  return { "bom-ref": ref, name: name.replace("dam-service", "server"), version };
};

/** As npm writes it: the folder's name, tools, and the peers of programs among the dependencies. */
const workspace: Sbom = {
  metadata: { component: component("root@0.0.0") },
  components: refs.map(component),
  dependencies: [
    { ref: "root@0.0.0", dependsOn: ["dam@1.0.0", "tool@3.0.0", "a@1.0.0"] },
    { ref: "dam@1.0.0", dependsOn: ["ui@4.0.0"] },
    { ref: "dam-service@1.0.0", dependsOn: ["dam@1.0.0", "a@1.0.0", "tool@3.0.0"] },
    { ref: "a@1.0.0", dependsOn: ["@b/b@2.0.0"] },
    { ref: "@b/b@2.0.0", dependsOn: ["a@1.0.0"] },
  ],
};

const library = { name: "dam", version: "1.0.0" };
const service = { name: "dam-service", version: "1.0.0", dependencies: { dam: "^1", a: "^1" } };
const own = [library, service];

const names = ({ components }: Sbom) => components.map(({ name }) => name);

test("a service has its dependencies and theirs", () => {
  const sbom = sbomOf(workspace, { name: "dam-service", own });
  expect(sbom.metadata.component.name).toBe("dam-service");
  expect(names(sbom)).toEqual(["dam", "a", "@b/b"]);
  expect(sbom.dependencies.find(({ ref }) => ref === "dam@1.0.0")?.dependsOn).toEqual([]);
});

test("a library without dependencies has none", () => {
  const sbom = sbomOf(workspace, { name: "dam", own });
  expect([names(sbom), sbom.dependencies]).toEqual([[], [{ ref: "dam@1.0.0", dependsOn: [] }]]);
});

test("a dependency that npm left out is an error, and so is the package", () => {
  const needy = { ...library, dependencies: { "@b/b": "^2" } };
  const lacking = () => sbomOf(workspace, { name: "dam", own: [needy] });
  expect(lacking).toThrow("npm sbom lacks @b/b of dam");
  expect(() => sbomOf(workspace, { name: "flood", own })).toThrow("no component flood");
});
