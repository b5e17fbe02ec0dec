/** What keeps a version from being released. Pure. */

/** Stands for the address of the repository and of its maintainers. Spelled so that it doesn't find itself. */
export const PLACEHOLDER = ["fill-in-before-release", "invalid"].join(".");

/** Returns the changelog's text below the heading of a version; undefined if it has none. */
export function sectionOf(changelog, version) {
  const sections = changelog.split(/^## /m).slice(1);
  const found = sections.find((section) => /^\[?([^\]\s]+)/.exec(section)?.[1] === version);
  return found?.replace(/^.*\n?/, "").trim();
}

/** Returns every reason against a release, each with its place and a way out. */
export function reasonsAgainst({ tag, texts, manifests, server }) {
  const version = Object.values(manifests)[0].version;
  return [
    ...placeholders(texts),
    ...(tag === undefined || tag === `v${version}`
      ? []
      : [`the tag is ${tag}: expected v${version}, the version of the packages`]),
    ...Object.entries(manifests).flatMap((entry) => mistakesIn(entry, version)),
    ...dependencyOf(server, { manifests, version }),
    ...(sectionOf(texts.get("CHANGELOG.md") ?? "", version)
      ? []
      : [`CHANGELOG.md: no text under "## ${version}": rename "## Unreleased"`]),
    ...exportsOf(texts.get("api/released.json") ?? "{}", version),
    ...(/https:|mailto:/.test(texts.get("SECURITY.md") ?? "")
      ? []
      : ["SECURITY.md: no address for reports: write an https: or mailto: link"]),
  ];
}

function placeholders(texts) {
  return [...texts].flatMap(([path, text]) =>
    text.split("\n").flatMap((line, index) => {
      const place = `${path}:${index + 1}`;
      return line.includes(PLACEHOLDER)
        ? [`${place}: fill in what ${PLACEHOLDER} stands for: ${line.trim()}`]
        : [];
    }),
  );
}

function mistakesIn([path, { version, repository, bugs }], expected) {
  const found = [];
  if (version !== expected) found.push(`${path}: version is ${version}: expected ${expected}`);
  if (!/^git\+https:\/\/.+\.git$/.test(repository?.url ?? ""))
    found.push(`${path}: repository.url is ${repository?.url}: expected git+https://….git`);
  if (!/^https:\/\/./.test(bugs?.url ?? ""))
    found.push(`${path}: bugs.url is ${bugs?.url}: expected https://…`);
  return found;
}

/** The service is tested with the library of its own version only. */
function dependencyOf(path, { manifests, version }) {
  const library = Object.values(manifests).find((manifest) => manifest !== manifests[path]).name;
  const range = manifests[path].dependencies?.[library];
  return range === `^${version}`
    ? []
    : [`${path}: dependencies.${library} is ${range}: expected ^${version}`];
}

/** What the next version's changes are compared with. */
function exportsOf(released, expected) {
  const { version } = JSON.parse(released);
  if (version === expected) return [];
  const way = "run `npm run api -- --release`";
  return [`api/released.json: version is ${version}: expected ${expected}: ${way}`];
}
