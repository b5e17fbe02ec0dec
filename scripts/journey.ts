/**
 * `npm run journey [-- NAME]`: how many files and functions of the library one warm call runs through,
 * on real servers; with a name, such as "limit, redis", each function of that way. With `--files NAME`
 * only the files, as JSON.
 */
import { CALLS } from "./journey/calls.ts";
import { type Way, wayOf } from "./journey/coverage.ts";

async function measured(name: string): Promise<Way> {
  await using stack = new AsyncDisposableStack();
  const open = CALLS[name];
  if (open === undefined) throw new Error(`"${name}" is none of ${Object.keys(CALLS).join("; ")}`);
  // Awaited here: the server stays until the call has been followed.
  return await wayOf(await open(stack));
}

function row(name: string, { files, functions, calls }: Omit<Way, "steps">): string {
  return `| ${name} | ${files} | ${functions} | ${calls} |`;
}

const [first, second] = process.argv.slice(2);
if (first === "--files") {
  const { steps } = await measured(second ?? "");
  console.log(JSON.stringify([...new Set(steps.map(({ file }) => file))]));
} else {
  console.log("| call | files | functions | calls |\n|---|---|---|---|");
  for (const name of first === undefined ? Object.keys(CALLS) : [first]) {
    const way = await measured(name);
    console.log(row(name, way));
    if (first === undefined) continue;
    for (const { file, name, calls } of way.steps)
      console.log(`${file}  ${name || "(anonymous)"}  ${calls}`);
  }
}
