/** Options for how requests are counted and answered, as in envoyproxy/ratelimit. */
import { InvalidArgumentError, type Option } from "commander";
import type { ServiceSettings } from "../../service/index.ts";
import { type EnvoyOptions, HEADER_NAMES, type HeaderNames } from "../../transports/envoy/index.ts";
import { switchOf } from "./option.ts";
import { type Environment, readVariable } from "./variable.ts";

/** Switches; undefined if they are off. */
export type AnswerFlags = {
  readonly chargeRefused?: boolean;
  readonly shadow?: boolean;
  readonly quota?: boolean;
  readonly responseHeaders?: boolean;
  readonly dynamicMetadata?: boolean;
};

/** Creates the options. Each overrides its environment variable. */
export function answerOptions(): readonly Option[] {
  return [
    switchOf({
      flags: "--charge-refused",
      about:
        "count refused requests too, as envoyproxy/ratelimit does; set the variable to false to " +
        "turn it on",
      env: "STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT",
      onWhere: false,
    }),
    shadowOption(),
    switchOf({
      flags: "--quota",
      about: "quota mode: admit a request if any of its descriptors has room",
      env: "QUOTA_MODE",
    }),
    switchOf({
      flags: "--response-headers",
      about: "send gateways RateLimit headers for their responses",
      env: "LIMIT_RESPONSE_HEADERS_ENABLED",
    }),
    switchOf({
      flags: "--dynamic-metadata",
      about: "send gateways the metadata of the rules that admitted a descriptor",
      env: "RESPONSE_DYNAMIC_METADATA",
    }),
  ];
}

/** Creates `--shadow`. */
export function shadowOption(): Option {
  return switchOf({
    flags: "--shadow",
    about: "shadow mode: decide and count, but admit every request",
    env: "SHADOW_MODE",
  });
}

/** Returns the settings for all requests. Pure. */
export function settingsOf(options: AnswerFlags): Required<ServiceSettings> {
  const { chargeRefused = false, shadow = false, quota = false } = options;
  return { chargeRefused, shadow, quota };
}

/** Returns a warning for each mode that is easily left on by mistake. Pure. */
export function modesIn({ shadow, quota }: AnswerFlags): readonly string[] {
  return [
    ...(shadow ? ["shadow mode (--shadow, SHADOW_MODE): every request passes"] : []),
    ...(quota ? ["quota mode (--quota, QUOTA_MODE): any quota with room lets a request pass"] : []),
  ];
}

/** Returns the options for answers to Envoy. Pure. */
export function envoyOptionsOf(
  options: AnswerFlags & { readonly headerNames: HeaderNames },
): EnvoyOptions {
  const { responseHeaders = false, dynamicMetadata = false, headerNames } = options;
  return { responseHeaders: responseHeaders ? headerNames : undefined, dynamicMetadata };
}

/** Returns the names of the headers for gateways. @throws CommandError `bad-variable` */
export function headerNamesIn(env: Environment): HeaderNames {
  const nameIn = (name: string) => readVariable(env, { name, read: toFieldName });
  return {
    limit: nameIn("LIMIT_LIMIT_HEADER") ?? HEADER_NAMES.limit,
    remaining: nameIn("LIMIT_REMAINING_HEADER") ?? HEADER_NAMES.remaining,
    reset: nameIn("LIMIT_RESET_HEADER") ?? HEADER_NAMES.reset,
  };
}

/** Headers that HTTP itself sets. */
const FRAMING = /^(?:connection|content-.*|date|keep-alive|te|trailer|transfer-encoding|upgrade)$/i;

/** Checks a field name by RFC 9110. */
function toFieldName(text: string): string {
  if (/^[\w!#$%&'*+.^`|~-]{1,100}$/.test(text) && !FRAMING.test(text)) return text;
  throw new InvalidArgumentError("Expected the name of a header, such as RateLimit-Limit.");
}
