import { describe, expect, it } from "vitest";
import { shownUrl } from "../src/commands/store/shown-url.ts";
import { toStorePlace } from "../src/commands/store/store-option.ts";

const open = { tls: false, username: undefined, password: undefined };
const host = (name: string, port = 6379) => ({ host: name, port });

describe("--store", () => {
  it("may be memory", () => {
    expect(toStorePlace("memory")).toBe("memory");
  });

  it.each([
    ["redis://one", { topology: "node", node: host("one"), db: 0 }],
    ["redis://one:7000/", { topology: "node", node: host("one", 7000), db: 0 }],
    ["redis://[::1]:7000/15", { topology: "node", node: host("::1", 7000), db: 15 }],
    ["rediss://[fe80::2]", { topology: "node", node: host("fe80::2"), db: 0, tls: true }],
    ["redis+cluster://one", { topology: "cluster", nodes: [host("one")] }],
    [
      "rediss+cluster://one:1,[::2]:2,three/",
      { topology: "cluster", tls: true, nodes: [host("one", 1), host("::2", 2), host("three")] },
    ],
    [
      "redis+sentinel://one:1,two/my%20master",
      {
        topology: "sentinel",
        sentinels: [host("one", 1), host("two", 26379)],
        master: "my master",
        db: 0,
      },
    ],
    [
      "rediss+sentinel://one/m/2",
      { topology: "sentinel", sentinels: [host("one", 26379)], master: "m", db: 2, tls: true },
    ],
  ])("may be %s", (text, place) => {
    expect(toStorePlace(text)).toEqual({ ...open, name: text, ...place });
  });

  it.each([
    ["redis://:p@one", undefined, "p"],
    ["redis+cluster://ann:p:q@one,two", "ann", "p:q"],
    ["redis+sentinel://ann:p@q@one/m", "ann", "p@q"],
    ["rediss://%C3%A4nn:%3A%2F%3F%23%40%25@one/0", "änn", ":/?#@%"],
  ])("may have a password, which its name leaves out: %s", (text, username, password) => {
    const place = toStorePlace(text);
    expect(place).toMatchObject({ username, password });
    expect(place).toHaveProperty("name", text.replace(/\/\/.*@/, "//"));
  });

  it("minds neither a line's end nor capitals in the scheme", () => {
    expect(toStorePlace("REDIS://one\n")).toMatchObject({ name: "redis://one" });
  });

  it.each([
    ["", "expected memory, redis://host:port/db, redis+cluster://"],
    ["Memory", "expected memory, redis://"],
    ["one:6379", "expected memory, redis://"],
    ["redis:/one", "expected memory, redis://"],
    ["redis://", "expected memory, redis://"],
    ["reddis://one", "Did you mean redis://?"],
    ["redis+sentinels://one/m", "Did you mean redis+sentinel://?"],
    ["redis://one,two", "expected one host; for many, redis+cluster:// or redis+sentinel://"],
    ["redis://one/zero", "expected a number as the database, such as /0"],
    ["redis://one/0/1", "expected at most a database after the host"],
    ["redis://one:70000", "expected hosts such as 127.0.0.1:6379"],
    ["redis://::1", "expected hosts such as 127.0.0.1:6379"],
    ["redis://one two", "expected hosts such as 127.0.0.1:6379"],
    ["redis+cluster://one,", "expected hosts such as 127.0.0.1:6379"],
    ["redis+cluster://one/1", "expected no path: a cluster has one database"],
    ["redis+sentinel://one", "such as /mymaster/0"],
    ["redis+sentinel://one/m/x", "expected a number as the database"],
    ["redis+sentinel://one/m/0/x", "such as /mymaster/0"],
  ])("can't be %j, and says why", (text, why) => {
    expect(() => toStorePlace(text)).toThrow(`--store, or SPILLWAY_STORE, is ${shownUrl(text)}`);
    expect(() => toStorePlace(text)).toThrow(why);
  });
});

describe("a URL that is wrong", () => {
  it.each([
    ["redis//ann:s3cret@one", '"***@one"'],
    ["reddis://:s3cret@one:1/2", '"reddis://***@one:1/2"'],
    ["redis://s3cret@one", '"redis://***@one"'],
    ["redis://:s3cret@", '"redis://***@"'],
    ["redis://:s3cret@one,", '"redis://***@one,"'],
    ["redis://:s3cret%zz@one", '"redis://***@one"'],
    ["redis://:s3/cret@one", '"redis://***@one"'],
    ["redis://:s3?cret@one", '"redis://***@one"'],
    ["redis://:s3#cret@one", '"redis://***@one"'],
    ["redis://:s3@cret@one/x", '"redis://***@one/x"'],
    ["redis://:s3cret", '"redis://:***"'],
    ["redis://ann:s3cret/0", '"redis://ann:***"'],
    ["redis://ann:123456", '"redis://ann:***"'],
    ["redis://one?password=s3cret", '"redis://one?***"'],
    ["redis://one/0#s3cret", '"redis://one/0#***"'],
    ["redis://[::1]:1,[::2]:2/0", '"redis://[::1]:1,[::2]:2/0"'],
  ])("is shown without what may be a password: %s", (text, shown) => {
    expect(shownUrl(text)).toBe(shown);
    expect(() => toStorePlace(text)).toThrow(`is ${shown}, expected`);
  });
});
