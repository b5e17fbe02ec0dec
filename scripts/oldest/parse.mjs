/**
 * Says which of the modules named can't be parsed by the Node that runs this, a line each.
 *
 * They are read from the standard input, a path a line: a command line has no room for hundreds.
 */
import { readFileSync } from "node:fs";
import { SourceTextModule } from "node:vm";

for (const file of readFileSync(0, "utf8").split("\n")) {
  try {
    new SourceTextModule(readFileSync(file, "utf8"));
  } catch (error) {
    console.log(`${file}: ${error}`);
  }
}
