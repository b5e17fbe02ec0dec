/** The rows that no transport can have, by the reason. */

const COUNTED = [
  "a count",
  "a count of the request",
  "a count that is promised",
  "more than the limit can hold, for which no wait helps",
  "two limits, of which one refuses: none is charged, and only that one is named",
  "in flight together with a rate that refuses",
  "what the shedder admits and a limit refuses is over at once",
  "in shadow everybody is served, and nothing is told",
];

const SETTLED = [
  "failed logins only: one that succeeds costs nothing",
  "failed logins only: one that fails is paid for",
  "a login that succeeds forgets those that failed",
  "what the handler says was used",
  "what the handler says was used, at the end of a stream",
  "what the handler says overrides what the route says, and the first time counts",
  "more than was taken goes into debt",
  "several limits, each settled by itself",
  "one limit under two keys, each settled by itself",
  "a settle that is promised",
  "a settle that rejects leaves what was taken",
  "settling on a store that answers later",
  "a refusal is not settled",
  "a settle that throws leaves what was taken",
  "a settle that returns NaN leaves what was taken",
  "who goes away before the answer pays in full",
  "who goes away in the middle of an answer pays by its status",
  "a handler that throws is settled by the status of its error",
];

const FUNCTIONS = [
  "a request to skip, as is promised",
  "a key that is promised",
  "parts of a key that run into each other",
  "a key of values, functions and the client's address",
  "a part of a key that is undefined, which must not be everybody's",
  "a key that throws",
  "a key that rejects",
  "a part of a key that is NaN",
  "a part of a key that is an object, as of a body that somebody made up",
  "a key of no parts",
  "a key that reads a body which was not sent",
  "a key that reads a body which lacks the field",
  "a key that reads a body",
  "a count that throws",
  "a count that is not found",
  "a count that is NaN",
  "a count that is negative",
  "a count of a fraction",
  "a plan that rejects",
  "a plan that is none",
  "a skip that throws",
  "one of two limits whose count is NaN: neither is charged",
  "a key that never comes",
  "a plan that never comes, where failures are let pass",
  "a key that throws, where failures are let pass",
  "a failure that nobody listens for",
  "a listener that throws",
  "in shadow, a key that throws",
  "a priority, a cohort and a deadline of the request",
  "a priority that throws",
  "what the shedder admits and whose key throws is over at once",
  "a key of the connection's address, behind a proxy",
  "a key of the client's address, behind a proxy that is believed",
  "a key that is a whole IPv6 address",
  "a key that is a network, and one that spells an IPv4 address as IPv6 does",
  "two addresses of one IPv6 network, and a coarser limit",
  "a coarser mask",
  "an address that a function tells, as of the PROXY protocol",
  "an address that a function tells, as a header of a proxy has it",
  "no address at all, which must not be everybody's key",
];

const PLANS = [
  "a limit of the tenant's plan",
  "a limit of the tenant's plan, promised, that is not defined with the limiter",
  "a limit that is not defined with the limiter, and called what no header may carry",
];

const STARTS = [
  "a start of a leaky bucket that is to be waited for",
  "a start of a leaky bucket that is further away than a request waits",
  "a start that is reserved, and waited for",
  "a start that would be reserved for later than a request waits",
];

const ROUTES = [
  "one request under one limit for one key by two routes",
  "one request under one limit for two keys by two routes",
  "a refusal by the second route: the first stays charged",
  "two routes, of which each has the least left of one limit: both are reported",
  "two routes for another origin, of which each has headers of its own",
  "a second route whose key fails: the first is reported, without a time",
  "what the shedder of a second route refuses: no time is later than Retry-After",
];

const HEADERS = [
  "whose budget it is, as a code under a secret",
  "the headers of draft 6",
  "X-RateLimit headers with seconds",
  "X-Ratelimit-Retry-After, with a refusal only",
  "several forms of headers",
  "the older forms tell of the limit that decided",
  "no headers but Retry-After",
  "a refusal to another origin",
];

const PROGRAM = [
  "the decision is on the request",
  "a failure is thrown to the framework",
  "a failure that is no error is thrown to the framework as one",
  "a refusal is thrown to the framework",
  "a refusal that is answered in one's own words",
];

export const RULES_LACK = {
  "an item of rules takes one unit": COUNTED,
  "rules settle nothing": SETTLED,
  "rules have no functions": FUNCTIONS,
  "rules have no limits that are found for each request": PLANS,
  "a start of rules is not waited for": STARTS,
  "rules decide once for each request": ROUTES,
  "rules send the draft's headers": HEADERS,
  "the program is elsewhere": PROGRAM,
  "the name of a rule is its path": ["a limit with a name that breaks headers"],
  "the deadline of a store is its own": [
    "a store that gives no answer: what it takes later is given back",
    "a store that gives no answer: a failure that is let pass is one of functions",
  ],
} as const satisfies { readonly [reason: string]: readonly string[] };
