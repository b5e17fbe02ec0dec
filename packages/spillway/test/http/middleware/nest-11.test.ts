/** Nest 11, the oldest promised: the table of behaviour once more. It is imported in place of the newest. */
import { NestFactory } from "@nestjs/core";
import { expect, test, vi } from "vitest";
import { describeBehaviour } from "./behaviour.ts";
import { nestHosts } from "./hosts/nest.ts";

vi.mock(
  "@nestjs/common",
  () => import("../../../../../scripts/nest-11/node_modules/@nestjs/common/index.js"),
);
vi.mock(
  "@nestjs/core",
  () => import("../../../../../scripts/nest-11/node_modules/@nestjs/core/index.js"),
);
vi.mock(
  "@nestjs/platform-fastify",
  () => import("../../../../../scripts/nest-11/node_modules/@nestjs/platform-fastify/index.js"),
);

test("it is Nest 11 that is imported", async () => {
  const eleven = await import("../../../../../scripts/nest-11/node_modules/@nestjs/core/index.js");
  expect(NestFactory).toBe(eleven.NestFactory);
});

for (const host of nestHosts) describeBehaviour({ ...host, name: `${host.name}, 11` });
