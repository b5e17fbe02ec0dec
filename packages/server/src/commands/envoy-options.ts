/** Options for how requests are counted and answered, as envoyproxy/ratelimit has them. */
import { Option } from "commander";
import { type EnvoyOptions, HEADER_NAMES } from "../envoy/index.ts";
import type { Settings } from "../service/index.ts";

export type AnswerOptions = {
  readonly chargeRefused: boolean;
  readonly shadow: boolean;
  readonly quota: boolean;
  readonly responseHeaders: boolean;
  readonly dynamicMetadata: boolean;
};

/** Makes the options; each overrides its variable of the environment. */
export function answerOptions(): readonly Option[] {
  return [
    new Option("--charge-refused", "count refused requests too, as envoyproxy/ratelimit does"),
    new Option("--shadow", "decide and count, and let every request pass"),
    new Option("--quota", "take every descriptor for a quota: any with room lets a request pass"),
    new Option("--response-headers", "give gateways RateLimit headers for their responses"),
    new Option("--dynamic-metadata", "give gateways the metadata of the rules that passed"),
  ];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** What holds for all requests. Pure. */
export function settingsOf(options: AnswerOptions, env: Environment): Required<Settings> {
  return {
    chargeRefused: options.chargeRefused || isOff(env.STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT),
    shadow: options.shadow || isOn(env.SHADOW_MODE),
    quota: options.quota || isOn(env.QUOTA_MODE),
  };
}

/** What answers to Envoy carry. Pure. */
export function envoyOptionsOf(options: AnswerOptions, env: Environment): EnvoyOptions {
  const hasHeaders = options.responseHeaders || isOn(env.LIMIT_RESPONSE_HEADERS_ENABLED);
  const names = {
    limit: env.LIMIT_LIMIT_HEADER || HEADER_NAMES.limit,
    remaining: env.LIMIT_REMAINING_HEADER || HEADER_NAMES.remaining,
    reset: env.LIMIT_RESET_HEADER || HEADER_NAMES.reset,
  };
  return {
    responseHeaders: hasHeaders ? names : undefined,
    dynamicMetadata: options.dynamicMetadata || isOn(env.RESPONSE_DYNAMIC_METADATA),
  };
}

/** Whether a variable says yes, in the ways of Go's strconv.ParseBool. Pure. */
export function isOn(text: string | undefined): boolean {
  return /^(?:1|t|true)$/i.test(text ?? "");
}

function isOff(text: string | undefined): boolean {
  return /^(?:0|f|false)$/i.test(text ?? "");
}
