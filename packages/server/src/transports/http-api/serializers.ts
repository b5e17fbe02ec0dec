/**
 * What writes responses: one function for each schema that is named, however many routes answer by
 * it. Fastify would make one for each status of each route, which took a third of the start.
 */
import {
  type Serializer,
  type SerializerFactory,
  SerializerSelector,
} from "@fastify/fast-json-stringify-compiler";

const build = SerializerSelector();

/** Makes what turns the answers of routes into texts. Equal schemas share one. */
export const serializers: SerializerFactory = (named, options) => {
  const compile = build(named, options);
  const made = new Map<string, Serializer>();
  return (route) => {
    const text = JSON.stringify(route.schema);
    const known = made.get(text);
    if (known !== undefined) return known;
    const serializer = compile(route);
    made.set(text, serializer);
    return serializer;
  };
};
