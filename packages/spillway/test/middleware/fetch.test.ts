import { describeBehaviour } from "./behaviour.ts";
import { fetchHost } from "./hosts/fetch.ts";
import { describeRaces } from "./races.ts";

describeBehaviour(fetchHost);
describeRaces(fetchHost);
