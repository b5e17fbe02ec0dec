/** Leases that a gateway takes and gives back, as Envoy does it: by the metadata of the answer. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createServer, createService, type Service } from "../../../src/index.ts";
import { rulesOf } from "../../support/rules.ts";
import { call, clientOf, type RlsServer, serveRls } from "./grpc-transport.ts";

const RULES = `
domain: shop
descriptors:
  - key: reports
    rate_limit: { kind: concurrency, capacity: 2, ttl: 1h }
  - key: tenant
    rate_limit: { kind: concurrency, capacity: 3, ttl: 1h }
    descriptors:
      - key: user
        rate_limit: { kind: concurrency, capacity: 1, ttl: 1h, also: parent }
  - key: clicks
    rate_limit: { unit: year, requests_per_unit: 5 }
`;

const entry = (text: string) => {
  const [key = "", value = ""] = text.split("=");
  return { key, value };
};
const asking = (...descriptors: readonly (readonly string[])[]) => ({
  domain: "shop",
  descriptors: descriptors.map((texts) => ({ entries: texts.map(entry) })),
});

type Body = {
  readonly overallCode?: string;
  readonly statuses?: readonly object[];
  readonly dynamicMetadata?: { readonly lease?: string; readonly domain?: string };
};
type Ask = (request: object) => Promise<Body>;

const WAYS: readonly {
  way: string;
  open: (service: Service) => Promise<[Ask, () => Promise<void>]>;
}[] = [
  {
    way: "gRPC",
    open: async (service) => {
      const server: RlsServer = await serveRls({ service });
      const client = clientOf(server);
      const ask: Ask = async (request) => plain(await call(client, request));
      const close = async () => {
        client.close();
        await server.close();
      };
      return [ask, close];
    },
  },
  {
    way: "/json",
    open: async (service) => {
      const app = await createServer({ service, quiet: 0 });
      const headers = { host: "localhost" };
      const ask: Ask = async (payload) =>
        (await app.inject({ method: "POST", url: "/json", payload, headers })).json();
      return [ask, () => app.close()];
    },
  },
];

/** A Struct, as protobuf's library shows it, as plain JSON. */
function plain(body: object): Body {
  const { dynamicMetadata, ...others } = body as { dynamicMetadata?: unknown };
  const fields = (dynamicMetadata as { fields?: Record<string, { stringValue?: string }> })?.fields;
  if (fields === undefined) return body as Body;
  const texts = Object.entries(fields).map(([name, value]) => [name, value.stringValue]);
  return { ...others, dynamicMetadata: Object.fromEntries(texts) };
}

describe.each(WAYS)("through $way", ({ open }) => {
  let service: Service;
  let ask: Ask;
  let close: () => Promise<void>;
  beforeEach(async () => {
    service = createService({ rules: rulesOf(RULES) });
    [ask, close] = await open(service);
  });
  afterEach(() => close());

  const take = async (...entries: readonly string[]) => {
    const body = await ask(asking(entries));
    return [body.overallCode, body.dynamicMetadata?.lease] as const;
  };

  it("a lease is named by the answer, and released by the entry that names it", async () => {
    const [, first] = await take("reports=ann");
    const [, second] = await take("reports=ann");
    expect(await take("reports=ann")).toEqual(["OVER_LIMIT", undefined]);
    expect(new Set([first, second]).size).toBe(2);
    const body = await ask(asking(["reports=ann", `spillway.lease=${first}`]));
    expect(body).toEqual({ overallCode: "OK", statuses: [{ code: "OK" }] });
    expect(await take("reports=ann")).toEqual(["OK", expect.any(String)]);
    expect(await take("reports=ann")).toEqual(["OVER_LIMIT", undefined]);
  });

  it("a lease released again, or by another's name, frees nothing", async () => {
    const [, lease] = await take("reports=ann");
    await take("reports=ann");
    const [, other] = await take("reports=ben");
    await ask(asking(["reports=ann", `spillway.lease=${other}`]));
    expect((await take("reports=ann"))[0]).toBe("OVER_LIMIT");
    await ask(asking(["reports=ann", `spillway.lease=${lease}`]));
    await ask(asking(["reports=ann", `spillway.lease=${lease}`]));
    expect((await take("reports=ann"))[0]).toBe("OK");
    expect((await take("reports=ann"))[0]).toBe("OVER_LIMIT");
  });

  it("limits above that also apply are released with it", async () => {
    const [, lease] = await take("tenant=t", "user=ann");
    expect((await take("tenant=t", "user=ann"))[0]).toBe("OVER_LIMIT");
    await ask(asking(["tenant=t", "user=ann", `spillway.lease=${lease}`]));
    for (const user of ["ann", "ben", "cat"]) {
      expect((await take("tenant=t", `user=${user}`))[0]).toBe("OK");
    }
    expect((await take("tenant=t", "user=dan"))[0]).toBe("OVER_LIMIT");
  });

  it("one of several descriptors may be released, and others asked beside", async () => {
    const { dynamicMetadata } = await ask(asking(["clicks=ann"], ["reports=ann"], ["nothing=x"]));
    const body = await ask(
      asking(["clicks=ann"], ["reports=ann", `spillway.lease=${dynamicMetadata?.lease}`]),
    );
    expect(body.statuses).toMatchObject([{ code: "OK", limitRemaining: 3 }, { code: "OK" }]);
    const { joint } = await service.check({
      domain: "shop",
      descriptors: [{ entries: [entry("reports=ann")], count: 2 }],
    });
    expect(joint?.ok).toBe(true);
  });

  it("answers without a lease have no metadata, and what is no lease is an entry like others", async () => {
    expect(await take("clicks=ann")).toEqual(["OK", undefined]);
    expect(await take("reports=ann", "spillway.lease=-")).toEqual(["OK", undefined]);
    expect((await take("reports=ann"))[0]).toBe("OK");
  });

  it("a limit that comes along may be more than any can be", async () => {
    const limit = { requestsPerUnit: 4_294_967_295, unit: 3 };
    const request = {
      domain: "shop",
      descriptors: [{ entries: [entry("a=b")], limit, hitsAddend: 3 }],
    };
    const grpcRequest = {
      ...request,
      descriptors: [{ ...request.descriptors[0], hitsAddend: { value: 3 } }],
    };
    const body = await ask(open === WAYS[0]?.open ? grpcRequest : request);
    expect(body.statuses).toMatchObject([
      {
        code: "OK",
        limitRemaining: 4_294_967_292,
        currentLimit: { requestsPerUnit: 4_294_967_295 },
      },
    ]);
  });
});
