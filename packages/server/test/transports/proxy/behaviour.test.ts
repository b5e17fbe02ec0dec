/** The middleware's behaviour table, through the proxy. */
import { createServer } from "node:http";
import { promisify } from "node:util";
import { listening, write } from "../../../../spillway/test/http/middleware/host.ts";
import { describeRules, type RuleHost } from "../behaviour/behaviour.ts";
import { RULES_LACK } from "../behaviour/lacks.ts";
import { proxyTo } from "./scene.ts";

/** The header of a client's deadline. */
const DEADLINE = "x-wait-ms";

const proxyHost: RuleHost = {
  name: "the proxy",
  lacks: {
    ...RULES_LACK,
    "a service does not measure how long leases last, so Retry-After is when one expires": [
      "as many in flight as there may be",
    ],
    "requests that meet no limit are shed too": ["what is skipped is not shed"],
    "its shedder has a shadow mode of its own": ["in shadow, what the shedder refuses is served"],
  },
  asked: (step, { deadline }) => {
    if (deadline === undefined) return step;
    return { ...step, headers: { ...step.headers, [DEADLINE]: String(deadline) } };
  },
  async start({ service, trust, shedder, handle }, warnings) {
    let open = 0;
    const upstream = createServer(async (_, response) => {
      open++;
      response.once("close", () => open--);
      try {
        await write(response, await handle());
      } catch {
        response.writeHead(500).end("thrown");
      }
    });
    const behind = await listening(upstream);
    const options = {
      service,
      trust,
      shedding: shedder && {
        shedder,
        priorities: [],
        deadlineHeader: DEADLINE,
        streams: { count: 0 },
      },
      warn: (text: string) => warnings.push(text),
    };
    const { proxy, url } = await proxyTo(`http://127.0.0.1:${behind.port}`, options);
    const connections = promisify(proxy.server.getConnections.bind(proxy.server));
    return {
      port: Number(new URL(url).port),
      // The server behind knows as well that a client has gone.
      connections: async () => (await connections()) + open,
      close: async () => {
        await proxy.close();
        // In the other order it would wait for a spare connection, which the proxy keeps for 4 s.
        await behind.close();
      },
    };
  },
};

describeRules(proxyHost);
