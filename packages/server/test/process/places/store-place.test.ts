import { describe, expect, it } from "vitest";
import { shownUrl } from "../../../src/process/places/shown-url.ts";
import { toStorePlace } from "../../../src/process/places/store-location.ts";

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
    expect(toStorePlace(text)).toEqual({ ...open, ...place, name: expect.any(String) });
  });

  it.each([
    ["redis://one", "redis://one:6379"],
    ["rediss://[fe80::2]/1", "rediss://[fe80::2]:6379/1"],
    ["redis+cluster://one,two:1", "redis+cluster://one:6379,two:1"],
    ["redis+sentinel://one/m", "redis+sentinel://one:26379/m"],
  ])("has a name with all ports: %s", (text, name) => {
    expect(toStorePlace(text)).toHaveProperty("name", name);
  });

  it.each([
    ["sqlite:limits.db", "limits.db"],
    ["sqlite:../a b/limits.db", "../a b/limits.db"],
    ["sqlite:/var/lib/limits.db", "/var/lib/limits.db"],
    ["sqlite:///var/lib/limits.db", "/var/lib/limits.db"],
    ["SQLite://limits.db\n", "limits.db"],
  ])("may be a file: %j", (text, path) => {
    expect(toStorePlace(text)).toEqual({ topology: "file", path });
  });

  it.each([
    ["postgres://one/app", "postgres://one:5432/app"],
    ["PostgreSQL://one:7000/app\n", "postgresql://one:7000/app"],
    ["postgres://ann@[::1]:7000", "postgres://[::1]:7000"],
    ["postgres://ann:p%40@%2Frun%2Fpostgresql/app", "postgres://%2Frun%2Fpostgresql/app"],
    ["postgres://ann:p@q@one/app?sslmode=disable", "postgres://one:5432/app"],
  ])("may be a database: %j", (text, name) => {
    const url = new URL(text).href;
    expect(toStorePlace(text)).toEqual({ topology: "database", url, name });
  });

  it.each([
    ["sslmode=prefer", "sslmode=verify-full"],
    ["sslmode=require&application_name=shop", "sslmode=verify-full&application_name=shop"],
    ["sslmode=verify-ca", "sslmode=verify-full"],
    ["sslmode=verify-full", "sslmode=verify-full"],
    ["sslmode=no-verify", "sslmode=no-verify"],
    ["sslmode=require&uselibpqcompat=true", "sslmode=require&uselibpqcompat=true"],
  ])("trusts a database that has to prove who it is, unless told otherwise: %s", (said, read) => {
    expect(toStorePlace(`postgres://one/app?${said}`)).toMatchObject({
      url: `postgres://one/app?${read}`,
    });
  });

  it.each([
    ["redis://:p@one:6379", undefined, "p"],
    ["redis+cluster://ann:p:q@one:6379,[::1]:7000", "ann", "p:q"],
    ["redis+sentinel://ann:p@q@one:26379/m", "ann", "p@q"],
    ["rediss://%C3%A4nn:%3A%2F%3F%23%40%25@one:6379/0", "änn", ":/?#@%"],
  ])("may have a password, which its name leaves out: %s", (text, username, password) => {
    const place = toStorePlace(text);
    expect(place).toMatchObject({ username, password });
    expect(place).toHaveProperty("name", text.replace(/\/\/.*@/, "//"));
  });

  it("minds neither a line's end nor capitals in the scheme", () => {
    expect(toStorePlace("REDIS://one\n")).toMatchObject({ name: "redis://one:6379" });
  });

  it.each([
    ["", "expected memory, sqlite:file, postgres://host:port/database, redis://host:port/db, "],
    ["Memory", "expected memory, sqlite:file"],
    ["one:6379", "expected memory, sqlite:file"],
    ["redis:/one", "expected redis://host:port/db"],
    ["redis://", "expected redis://host:port/db"],
    ["reddis://one", 'Did you mean "redis:"?'],
    ["redis+sentinels://one/m", 'Did you mean "redis+sentinel:"?'],
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
    ["sqlite:", "expected a file after sqlite:"],
    ["sqlite://", "expected a file after sqlite:"],
    ["sqlite::memory:", "expected a file after sqlite:"],
    ["sqlite3:limits.db", 'Did you mean "sqlite:"?'],
    ["postgre://one/app", 'Did you mean "postgres:"?'],
    ["postgres://", "expected postgres://user:password@host:port/database"],
    ["postgres:///app", "expected postgres://user:password@host:port/database"],
    ["postgres://one,two/app", "expected postgres://user:password@host:port/database"],
    ["postgres://one:70000/app", "expected postgres://user:password@host:port/database"],
    ["postgres://one/app/more", "expected postgres://user:password@host:port/database"],
    ["postgres://one/app?sslmode=strict", "expected an sslmode that is one of disable, no-verify,"],
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
    ["postgres//ann:s3cret@one/app", '"***@one/app"'],
    ["postgres://ann:s3cret%zz@one/app", '"postgres://***@one/app"'],
    ["postgres://ann:12/s3cret@one/app", '"postgres://***@one/app"'],
    ["postgres://ann:12?s3cret@one/app", '"postgres://***@one/app"'],
    ["postgres://ann:12#s3cret@one/app", '"postgres://***@one/app"'],
    ["postgres://ann:s3cret", '"postgres://ann:***"'],
    ["postgres://one/app?password=s3cret&sslmode=x", '"postgres://one/app?***"'],
  ])("is shown without what may be a password: %s", (text, shown) => {
    expect(shownUrl(text)).toBe(shown);
    expect(() => toStorePlace(text)).toThrow(`is ${shown}, expected`);
  });
});
