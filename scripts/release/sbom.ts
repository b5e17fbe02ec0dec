/** The software bill of materials of one package: what it installs, in the versions that were tested. */

/** The parts of a CycloneDX document, as `npm sbom` writes it, that are read here. */
export type Sbom = {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
};

type Component = { readonly "bom-ref": string; readonly name: string; readonly version: string };

type Manifest = {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
};

/**
 * Returns the document of a package, made of that of its workspace. Pure.
 *
 * npm's own also has the tools of the workspace; with `--omit dev` it lacks each dependency that is also a tool.
 *
 * @param name The package's.
 * @param own Manifests of the workspace's packages.
 * @throws If npm's document lacks the package, or one of its dependencies.
 */
export function sbomOf(workspace: Sbom, { name, own }: SbomOptions): Sbom {
  const edges = new Map(workspace.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  // Of our own packages npm also names tools, and what programs may bring, such as React.
  for (const manifest of own) edges.set(refOf(manifest), installedBy(manifest, edges));
  const root = own.filter((manifest) => manifest.name === name).map(refOf)[0] ?? name;
  const component = workspace.components.find((one) => one["bom-ref"] === root);
  if (component === undefined) throw new Error(`npm sbom has no component ${root}`);
  const reached = reach(root, edges);
  return {
    ...workspace,
    metadata: { ...workspace.metadata, component: { ...component, name } },
    components: workspace.components.filter(
      (one) => one !== component && reached.has(one["bom-ref"]),
    ),
    dependencies: [...reached].map((ref) => ({ ref, dependsOn: edges.get(ref) ?? [] })),
  };
}

type SbomOptions = { readonly name: string; readonly own: readonly Manifest[] };

type Edges = ReadonlyMap<string, readonly string[]>;

function installedBy(manifest: Manifest, edges: Edges): readonly string[] {
  const direct = Object.keys(manifest.dependencies ?? {});
  const listed = edges.get(refOf(manifest));
  const found = direct.map((name) => listed?.find((ref) => nameIn(ref) === name));
  // The document of one package does not say what another needs, unless it depends on it.
  if (listed === undefined) return [];
  const missing = direct.filter((_, index) => found[index] === undefined);
  if (missing.length > 0) throw new Error(`npm sbom lacks ${missing} of ${manifest.name}`);
  return found.filter((ref) => ref !== undefined);
}

function refOf({ name, version }: Manifest): string {
  return `${name}@${version}`;
}

/** The name in "@scope/name@1.0.0". */
function nameIn(ref: string): string {
  return ref.slice(0, ref.lastIndexOf("@"));
}

function reach(ref: string, edges: Edges, reached = new Set<string>()): ReadonlySet<string> {
  if (reached.has(ref)) return reached;
  reached.add(ref);
  for (const next of edges.get(ref) ?? []) reach(next, edges, reached);
  return reached;
}
