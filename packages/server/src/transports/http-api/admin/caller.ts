/** Finds the caller of an administration listener, by the token that a request shows. */
import type { FastifyRequest } from "fastify";
import { display } from "spillway/support";
import { NAME_HEADER, RequestError } from "../../../service/index.ts";
import { isBearer } from "../access.ts";

/** The tokens of an administration listener; undefined if one does not exist. */
export type AdminTokens = {
  /** Opens changes and reads. */
  readonly change: string | undefined;
  /** Opens reads. */
  readonly read: string | undefined;
};

/**
 * How callers are admitted: by tokens, which may be replaced at any time, or by the permissions of
 * a Unix socket, which is open to whoever can connect.
 */
export type AdminGuard = "socket" | (() => AdminTokens);

/** The right that a caller has shown. */
export type AdminRight = "change" | "read";

const NAME = /^[\p{L}\p{N}_.@+-](?:[\p{L}\p{N}_.@+ -]{0,62}[\p{L}\p{N}_.@+-])?$/u;

/**
 * Returns who calls, for the audit log, such as `change token as ann`.
 *
 * @throws RequestError `token-required` without a valid token, `wrong-token` if its right does not
 * suffice, `bad-field` for a name that is none.
 */
export function callerOf(request: FastifyRequest, guard: AdminGuard, needed: AdminRight): string {
  const right = guard === "socket" ? "change" : rightOf(request, guard());
  if (right === undefined) throw noToken();
  if (needed === "change" && right === "read") throw wrongToken();
  return describeCaller({ right: rightName(request, guard), name: nameIn(request) });
}

/** Describes who has sent a refused request. A name that is none is left out. */
export function describeRefused(request: FastifyRequest, guard: AdminGuard): string {
  const right = rightName(request, guard);
  try {
    return describeCaller({ right, name: nameIn(request) });
  } catch {
    return right;
  }
}

function rightName(request: FastifyRequest, guard: AdminGuard): string {
  return guard === "socket" ? guard : `${rightOf(request, guard()) ?? "no"} token`;
}

type CallerNames = { readonly right: string; readonly name: string | undefined };

function describeCaller({ right, name }: CallerNames): string {
  return name === undefined ? right : `${right} as ${name}`;
}

/** Both tokens are always compared, so that the time taken reveals nothing. */
function rightOf({ headers }: FastifyRequest, { change, read }: AdminTokens) {
  const { authorization } = headers;
  const isRead = read !== undefined && isBearer(authorization, read);
  const isChange = change !== undefined && isBearer(authorization, change);
  return isChange ? "change" : isRead ? "read" : undefined;
}

function nameIn({ headers }: Pick<FastifyRequest, "headers">): string | undefined {
  const sent = headers[NAME_HEADER];
  if (sent === undefined) return undefined;
  const name = decoded(String(sent));
  if (name !== undefined && NAME.test(name)) return name;
  const detail =
    `Found ${display(sent)} in the header Spillway-As, expected a name of 1 to 64 letters, ` +
    "digits, spaces and _.@+-, %-encoded if it is not ASCII";
  throw new RequestError({ status: 400, code: "bad-field", detail });
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function noToken(): RequestError {
  const detail =
    "Found no valid token, expected the header Authorization: Bearer with the token of " +
    "SPILLWAY_ADMIN_TOKEN or, to read, of SPILLWAY_ADMIN_READ_TOKEN";
  const headers = { "www-authenticate": 'Bearer realm="spillway admin"' };
  return new RequestError({ status: 401, code: "token-required", detail, headers });
}

function wrongToken(): RequestError {
  const detail =
    "Found the token to read, expected the token to change, which SPILLWAY_ADMIN_TOKEN or " +
    "--admin-token-file names";
  return new RequestError({ status: 403, code: "wrong-token", detail });
}
