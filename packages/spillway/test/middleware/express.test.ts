import { describeBehaviour } from "./behaviour.ts";
import { expressHosts } from "./hosts/express.ts";
import { describeRaces } from "./races.ts";

for (const host of expressHosts) {
  describeBehaviour(host);
  describeRaces(host);
}
