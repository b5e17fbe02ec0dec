/** The `http` section of a rule file: which descriptors an HTTP request has. Plain data. */

import type { Automaton } from "./automaton.ts";

/** One item: a request that matches has a descriptor, unless one of its actions has no value. */
export type HttpItem = {
  readonly match: HttpMatch;
  readonly actions: readonly HttpAction[];
  /** The place of the item in its file. Lines and columns are counted from 1. */
  readonly place: { readonly file: string; readonly line: number; readonly column: number };
};

/** Which requests an item is for: those that fulfil every condition. */
export type HttpMatch = {
  readonly methods: readonly string[] | undefined;
  readonly path: PathTemplate | undefined;
  readonly prefix: PathTemplate | undefined;
  /** Names in lower case, without a port. `*.` at the start stands for any names below. */
  readonly hosts: readonly string[] | undefined;
};

/** A path: its text in the file, and its normal segments, of which undefined ones match any. */
export type PathTemplate = {
  readonly text: string;
  readonly segments: readonly (string | undefined)[];
};

/** An action: it yields an entry of a descriptor. */
export type HttpAction = { readonly key: string } & (
  | { readonly type: "remote_address" }
  | { readonly type: "masked_remote_address"; readonly v4: number; readonly v6: number }
  | { readonly type: NamedPart; readonly name: string; readonly isSkipped: boolean }
  | { readonly type: "method" }
  | { readonly type: "path"; readonly text: string | undefined; readonly segments: number }
  | { readonly type: "generic_key"; readonly value: string }
  | {
      readonly type: "header_value_match";
      readonly value: string;
      readonly isExpected: boolean;
      readonly headers: readonly HeaderMatch[];
    }
  | {
      readonly type: "user_agent";
      readonly classes: readonly UserAgentClass[];
      readonly isSkipped: boolean;
    }
  | JwtClaimsAction
);

/** Yields a claim of the request's verified token. */
export type JwtClaimsAction = {
  readonly type: "jwt_claims";
  readonly provider: JwtProvider;
  /** The names that lead to the claim: of a member, of a member of that, and so on. */
  readonly path: readonly string[];
  readonly isSkipped: boolean;
  /** Whether a request with a token that does not verify is refused. */
  readonly refusesInvalid: boolean;
};

/** An issuer of tokens, and the conditions under which one is believed. */
export type JwtProvider = {
  readonly name: string;
  /** Where the keys are: a set of JSON Web Keys by RFC 7517. */
  readonly jwks: { readonly uri: string } | { readonly file: string };
  readonly issuer: string;
  /** The audiences of which a token must have one; undefined if they are not compared. */
  readonly audiences: readonly string[] | undefined;
  readonly algorithms: readonly string[];
  /** The tolerance for clocks that differ, in seconds. */
  readonly skew: number;
};

/** The actions that yield one named part of a request, if it has that. */
export type NamedPart = "request_headers" | "query_parameters" | "cookies";

/** A condition on a header. */
export type HeaderMatch = {
  readonly name: string;
  /** The text to find, by how it is compared; undefined if only the presence counts. */
  readonly text: StringMatch | undefined;
  readonly isPresent: boolean;
  readonly isInverted: boolean;
  readonly isMissingEmpty: boolean;
};

export type StringMatch = {
  /** In lower case if the case is ignored, except for a pattern. */
  readonly text: string;
  readonly ignoresCase: boolean;
} & (
  | { readonly how: "exact" | "prefix" | "suffix" | "contains" }
  | { readonly how: "safe_regex"; readonly automaton: Automaton }
);

/** A class of user agents. */
export type UserAgentClass = {
  readonly name: string;
  /** Texts in lower case, of which one is in the header. */
  readonly contains: readonly string[];
  /** A pattern of the whole header in lower case, in place of texts. */
  readonly pattern: StringMatch | undefined;
};
