/**
 * Finds the validators and serializers of routes, which `npm run embed` compiles ahead. Fastify
 * would load two compilers for them at each start, which are a sixth of the memory at rest.
 */
import type { FastifyServerOptions } from "fastify";
import { COMPILED } from "./schemas.generated.ts";

type SchemaController = NonNullable<FastifyServerOptions["schemaController"]>;
type Compilers = NonNullable<SchemaController["compilersFactory"]>;
type Compiled<F extends keyof Compilers> = ReturnType<ReturnType<NonNullable<Compilers[F]>>>;
/** Fastify's type of a compiled validator also allows a serializer. */
type Validator = Extract<Compiled<"buildValidator">, { readonly schema: unknown }>;

/** The option of Fastify that uses them. */
export const schemaController: SchemaController = {
  compilersFactory: {
    buildValidator: () => (route: unknown) => compiledFor(COMPILED.validators, route) as Validator,
    buildSerializer: () => (route: unknown) =>
      compiledFor(COMPILED.serializers, route) as Compiled<"buildSerializer">,
  },
};

function compiledFor(compiled: Readonly<Record<string, unknown>>, route: unknown): unknown {
  const text = JSON.stringify((route as { readonly schema: unknown }).schema);
  const found = compiled[text];
  if (found !== undefined) return found;
  throw new Error(`this schema of a route is not compiled, run npm run embed: ${text}`);
}
