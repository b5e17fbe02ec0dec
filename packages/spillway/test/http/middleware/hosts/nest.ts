import "reflect-metadata";
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import {
  All,
  type CanActivate,
  Catch,
  Controller,
  type INestApplication,
  Module,
  Req,
  Res,
  UseGuards,
} from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { FastifyAdapter } from "@nestjs/platform-fastify";
import type { LimitedRequest } from "../../../../src/http/middleware/nest/context.ts";
import {
  Limited,
  limited,
  RefusalException,
  RefusalFilter,
  SpillwayModule,
} from "../../../../src/http/middleware/nest/index.ts";
import {
  type AnyRequest,
  type AnyRoute,
  type Host,
  type Running,
  type Site,
  write,
} from "../host.ts";

/** Decorators as TypeScript would call them: nothing here compiles their syntax. */
export function decorate(target: object, name: string, ...decorators: unknown[]): void {
  const method = Object.getOwnPropertyDescriptor(target, name);
  for (const each of decorators.toReversed()) {
    (each as (...place: unknown[]) => void)(target, name, method);
  }
}

/** The module with a decorator, and guards by themselves; on both platforms. */
export const nestHosts: readonly Host[] = [
  hostOf("nest on express, module", () => undefined, byModule),
  hostOf("nest on express, guards", () => undefined, byGuards),
  hostOf("nest on fastify, module", () => new FastifyAdapter(), byModule),
];

/** What is imported, and what is said of the handler. */
type Setup = { readonly imports: object[]; readonly decorators: unknown[] };

/** The first route by a decorator, others by guards of the handler. */
function byModule({ limiter, routes }: Site): Setup {
  const [first = { limits: [] }, ...more] = routes.map(ofNest);
  const guards = more.map((route) => limited(limiter, route) as CanActivate);
  return {
    imports: [SpillwayModule.forRoot({ limiter })],
    decorators: [Limited(first), UseGuards(...guards)],
  };
}

function byGuards({ limiter, routes }: Site): Setup {
  const guards = routes.map((route) => limited(limiter, ofNest(route)) as CanActivate);
  return { imports: [], decorators: [UseGuards(...guards)] };
}

function ofNest({ ownAnswer, throws, ...route }: AnyRoute): AnyRoute {
  return route;
}

function hostOf(
  name: string,
  platform: () => FastifyAdapter | undefined,
  setupOf: (site: Site) => Setup,
): Host {
  return {
    name,
    header: (request: AnyRequest, header) => request.headers[header]?.toString(),
    start: async (site) => {
      const module = moduleOf(site, setupOf(site));
      const adapter = platform();
      const options = { logger: false } as const;
      const app =
        adapter === undefined
          ? await NestFactory.create(module, options)
          : await NestFactory.create(module, adapter, options);
      app.useGlobalFilters(filterOf(site));
      return running(app);
    },
  };
}

function moduleOf({ handle }: Site, { imports, decorators }: Setup): new () => object {
  class Route {
    async answer(request: LimitedRequest, response: AnyRequest) {
      const reply = await handle(request.spillway);
      response.hijack?.();
      const raw = response.raw ?? response;
      for (const [name, value] of Object.entries(response.getHeaders())) raw.setHeader(name, value);
      await write(raw, reply);
    }
  }
  Controller()(Route);
  Req()(Route.prototype, "answer", 0);
  Res()(Route.prototype, "answer", 1);
  decorate(Route.prototype, "answer", All(), ...decorators);
  class App {}
  Module({ imports: imports as never, controllers: [Route] })(App);
  return App;
}

/** Refusals by `Accept`, or the site's own words. */
function filterOf({ routes }: Site): RefusalFilter {
  const own = routes.find(({ ownAnswer }) => ownAnswer !== undefined)?.ownAnswer;
  if (own === undefined) return new RefusalFilter();
  class OwnFilter {
    catch(exception: RefusalException, host: { switchToHttp(): { getResponse(): AnyRequest } }) {
      host.switchToHttp().getResponse().status(exception.getStatus()).send(own);
    }
  }
  Catch(RefusalException)(OwnFilter);
  return new OwnFilter();
}

async function running(app: INestApplication): Promise<Running> {
  await app.listen(0, "127.0.0.1");
  const server = app.getHttpServer() as Server;
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    const closed = once(server, "close");
    server.close();
    await closed;
    await app.close();
  };
  const connections = async () => promisify(server.getConnections.bind(server))();
  return { port, connections, close };
}
