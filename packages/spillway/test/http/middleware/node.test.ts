import { describeBehaviour } from "./behaviour.ts";
import { nodeHost } from "./hosts/node.ts";
import { describeRaces } from "./races.ts";

describeBehaviour(nodeHost);
describeRaces(nodeHost, { aborted: 10_000 });
