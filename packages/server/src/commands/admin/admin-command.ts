/** A command that calls an administration listener. */
import type { Option } from "commander";
import type { DescriptorOptions } from "../descriptor-options.ts";
import type { AdminUrl } from "./admin-url.ts";

/** Options of all these commands. */
export type AdminOptions = {
  readonly admin: AdminUrl | undefined;
  readonly as: string | undefined;
  readonly json: true | undefined;
};

/** Options of commands that change something. */
export type ChangeOptions = {
  readonly reason: string | undefined;
  readonly ifVersion: number | undefined;
};

/** A call of the listener. */
export type AdminCall = {
  /** The name of the operation, which is the path's end, with its query. */
  readonly path: string;
  /** The body of a POST; undefined for a GET. */
  readonly body?: object | undefined;
};

/** A command: its call, and how its answer is shown to people. */
export type AdminCommand = {
  readonly name: string;
  readonly about: string;
  /** An argument, as commander writes it, and its description. */
  readonly argument?: readonly [name: string, about: string];
  readonly options: readonly Option[];
  /** @throws CommandError `bad-admin` for options that do not fit together */
  readonly call: (options: never, argument?: string) => AdminCall;
  /** Returns lines for people. Pure. */
  readonly show: (answer: never) => readonly string[];
};

/** The part of a body that names budgets. */
export function budgetsIn({ domain, descriptor }: DescriptorOptions) {
  return { domain, descriptors: descriptor.map((entries) => ({ entries })) };
}

/** The part of a body that all changes have. */
export function saidIn({ reason, ifVersion }: ChangeOptions) {
  return { reason, version: ifVersion };
}
