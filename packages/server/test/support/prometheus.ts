/** A strict reader of Prometheus' text format: what Prometheus would refuse, it refuses. */

export type ReadSample = {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
};

export type Family = {
  readonly name: string;
  readonly type: string;
  readonly samples: ReadSample[];
};

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\[\\"n])*)"(,|$)/y;

/** Reads a page. @throws Error where it is not well formed, or says anything twice */
export function readMetrics(text: string): Map<string, Family> {
  const families = new Map<string, Family>();
  const seen = new Set<string>();
  let current: Family | undefined;
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("# HELP ")) continue;
    const [, name = "", type = ""] =
      /^# TYPE (\S+) (counter|gauge|histogram|summary)$/.exec(line) ?? [];
    if (name !== "") {
      if (!NAME.test(name) || families.has(name)) throw new Error(`twice, or no name: ${line}`);
      current = { name, type, samples: [] };
      families.set(name, current);
      continue;
    }
    const sample = readSample(line);
    const id = `${sample.name} ${JSON.stringify(Object.entries(sample.labels).sort())}`;
    if (seen.has(id)) throw new Error(`twice: ${line}`);
    seen.add(id);
    const suffix =
      current && sample.name.startsWith(current.name) && sample.name.slice(current.name.length);
    const isOwn =
      suffix === "" ||
      (current?.type === "histogram" && /^_(?:bucket|sum|count)$/.test(suffix || ""));
    if (current === undefined || !isOwn) throw new Error(`outside its family: ${line}`);
    current.samples.push(sample);
  }
  for (const family of families.values()) if (family.type === "histogram") checkBuckets(family);
  return families;
}

function readSample(line: string): ReadSample {
  const [, name = "", inner = "", number = ""] = SAMPLE.exec(line) ?? [];
  const value = Number(number);
  if (name === "" || (Number.isNaN(value) && number.toLowerCase() !== "nan"))
    throw new Error(`no sample: ${line}`);
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  let end = 0;
  while (end < inner.length) {
    const found = LABEL.exec(inner);
    if (found === null) throw new Error(`no labels: ${line}`);
    const [, label = "", text = ""] = found;
    if (label in labels) throw new Error(`a label twice: ${line}`);
    labels[label] = text.replace(/\\(.)/g, (_, one) => (one === "n" ? "\n" : one));
    end = LABEL.lastIndex;
  }
  return { name, labels, value };
}

/** Buckets rise, and the last holds all. */
function checkBuckets({ name, samples }: Family): void {
  const last = new Map<string, number>();
  for (const { name: own, labels, value } of samples) {
    const { le, ...others } = labels;
    const id = JSON.stringify(others);
    if (own === `${name}_bucket`) {
      if (value < (last.get(id) ?? 0)) throw new Error(`buckets of ${name} fall`);
      last.set(id, value);
    }
    if (own === `${name}_count` && last.get(id) !== value) throw new Error(`${name} loses some`);
  }
}

/** The value of one sample; undefined where there is none. */
export function sampleOf(
  families: ReadonlyMap<string, Family>,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const all = [...families.values()].flatMap(({ samples }) => samples);
  return all.find(
    (one) =>
      one.name === name &&
      Object.entries({ ...labels, ...one.labels }).every(
        ([label, value]) => labels[label] === value && one.labels[label] === value,
      ),
  )?.value;
}
