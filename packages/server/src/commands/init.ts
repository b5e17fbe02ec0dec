import { writeFile } from "node:fs/promises";
import { CommandError } from "../process/command-error.ts";
import { systemMessage } from "../process/system-message.ts";

const RULES = `# Rules for Spillway. A request names the domain and sends descriptors;
# each meets the rule with its keys and values.
domain: example

descriptors:
  # Five logins a minute for each user. \`user\` has no value: each user has a budget of their own.
  - key: auth_type
    value: login
    descriptors:
      - key: user
        rate_limit: { kind: token bucket, unit: minute, requests_per_unit: 5 }

  # Ten requests a second for each address, 50 at once.
  - key: remote_address
    rate_limit: { kind: token bucket, unit: second, requests_per_unit: 10, capacity: 50 }
`;

/**
 * `spillway init`: writes a first rule file. It never overwrites a file.
 *
 * @throws CommandError `file-exists`, `unwritable-path`
 */
export async function init(path: string): Promise<void> {
  try {
    await writeFile(path, RULES, { flag: "wx" });
  } catch (error) {
    throw cannotWrite(path, error);
  }
  console.log(`Wrote ${path}. Next:`);
  console.log(`  npx spillway check ${path}    # what the rules mean`);
  console.log(`  npx spillway serve ${path}    # answer on port 8080; it prints requests to try`);
}

function cannotWrite(path: string, error: unknown): CommandError {
  if ((error as NodeJS.ErrnoException).code !== "EEXIST")
    return new CommandError("unwritable-path", `${path}: ${systemMessage(error)}`);
  const hint = "name another file, as in: spillway init other.yaml";
  return new CommandError("file-exists", `${path} exists and was not changed; ${hint}`);
}
