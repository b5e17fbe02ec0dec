import { createServer } from "node:http";
import express, { type RequestHandler } from "express";
import { type Options, rateLimit } from "express-rate-limit";
import { limited } from "spillway/express";
import type { Framework } from "../framework.ts";
import { ADMITTED, AMPLE, BODY, REFUSED, SCARCE } from "../requests.ts";
import { keyOf, limiterAt, routes } from "../spillway.ts";

const answer: RequestHandler = (_request, response) => {
  response.json(BODY);
};

function serve(admitted: readonly RequestHandler[], refused: readonly RequestHandler[]) {
  const app = express().set("env", "production");
  app.get(ADMITTED, ...admitted, answer);
  app.get(REFUSED, ...refused, answer);
  return createServer(app);
}

/** By default with the headers that its documentation begins with, which have a hash of the key. */
function usual(
  { rate, period }: { readonly rate: number; readonly period: number },
  standardHeaders: Options["standardHeaders"] = "draft-8",
): RequestHandler {
  return rateLimit({
    windowMs: period,
    limit: rate,
    standardHeaders,
    legacyHeaders: false,
    keyGenerator: keyOf,
  });
}

export const expressFramework: Framework = {
  peer: "express-rate-limit",
  bare: async () => serve([], []),
  async spillway(place) {
    const limiter = limiterAt(place);
    const { admitted, refused } = routes(keyOf);
    return serve([limited(limiter, admitted)], [limited(limiter, refused)]);
  },
  usual: async () => serve([usual(AMPLE)], [usual(SCARCE)]),
  likened: {
    "express-rate-limit, draft 7": async () =>
      serve([usual(AMPLE, "draft-7")], [usual(SCARCE, "draft-7")]),
  },
};
