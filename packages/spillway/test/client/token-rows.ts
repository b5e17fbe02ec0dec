/** Providers that count tokens, and clients that estimate them: rows as those of `life.ts`. */
import {
  anthropic,
  azure,
  type Counting,
  MINUTE,
  openai,
  type Provider,
  tokenServer,
  tokenShares,
} from "../servers/life/tokens.ts";
import type { Row } from "./life.ts";
import { live } from "./world.ts";

const RATE = 2000;

type Situation = {
  readonly name: string;
  readonly provider: Omit<Provider, "rate">;
  readonly clients?: number;
  /** Tokens of a request by its estimate, and how many of those are used, both at random. */
  readonly estimate?: readonly [least: number, most: number];
  readonly part?: readonly [least: number, most: number];
  readonly used?: number;
  readonly refused?: number;
};

const between =
  (least: number, most: number) =>
  (random: () => number): number =>
    least + (most - least) * random();

function rowOf(situation: Situation): Row {
  const { name, provider, clients = 1, estimate = [200, 1800], part = [0.85, 1.15] } = situation;
  const { used = 95, refused = 1 } = situation;
  return {
    name,
    async run(seed) {
      const rate = RATE * clients;
      const { server, asked } = tokenServer({ ...provider, rate });
      const mean = ((estimate[0] + estimate[1]) / 2) * ((part[0] + part[1]) / 2);
      const wish = (random: () => number) => {
        const guess = Math.round(between(...estimate)(random));
        const actual = Math.max(1, Math.round(guess * between(...part)(random)));
        const headers = { "x-estimate": String(guess), "x-actual": String(actual) };
        const spillway = { count: guess, repeat: "refused" };
        return { init: { method: "POST", body: "{}", headers, spillway } as RequestInit };
      };
      await live({
        server,
        wanted: (1.5 * rate) / mean,
        clients,
        lasting: 5 * MINUTE,
        seed,
        wish,
        options: { wait: MINUTE },
      });
      return {
        ...tokenShares(asked, { from: 2 * MINUTE, to: 5 * MINUTE, rate }),
        first: tokenShares(asked, { from: 0, to: 2 * MINUTE, rate }).refused,
      };
    },
    least: { used },
    most: { refused },
  };
}

const soon = between(300, 2000);
const slow = () => 20_000;
const of = (
  counting: Counting,
  headers: Provider["headers"],
  takes: Provider["takes"] = soon,
): Omit<Provider, "rate"> => ({ counting, headers, takes });

export const TOKEN_ROWS: readonly Row[] = (
  [
    { name: "tokens, counted as they are, OpenAI's headers", provider: of("actual", openai) },
    { name: "tokens, counted as they are, answers of 20 s", provider: of("actual", openai, slow) },
    { name: "tokens, set right at the end", provider: of("settled", openai) },
    {
      name: "tokens, set right at the end, answers of 20 s",
      provider: of("settled", openai, slow),
    },
    { name: "tokens, by the estimate alone", provider: of("estimated", openai) },
    { name: "tokens, Anthropic's headers", provider: of("settled", anthropic) },
    {
      name: "tokens, Anthropic's headers, answers of 20 s",
      provider: of("settled", anthropic, slow),
    },
    { name: "tokens, a window of a minute", provider: { ...of("actual", openai), period: MINUTE } },
    {
      name: "tokens, a window of a minute, 20 s",
      provider: { ...of("actual", openai, slow), period: MINUTE },
    },
    { name: "tokens, Azure's headers", provider: { ...of("actual", azure), period: MINUTE } },
    {
      name: "tokens, a quarter of the estimate is used, set right at the end",
      provider: of("settled", openai),
      part: [0.1, 0.4],
    },
    {
      name: "tokens, a quarter of the estimate is used, which counts all the same",
      provider: of("estimated", openai),
      part: [0.1, 0.4],
    },
    {
      name: "tokens, a quarter of the estimate is used, which counts all the same, 20 s",
      provider: of("estimated", openai, slow),
      part: [0.1, 0.4],
    },
    { name: "tokens, counted at the end", provider: of("late", openai) },
    {
      name: "tokens, twice the estimate is used",
      provider: of("actual", openai),
      part: [1.5, 2.5],
    },
    ...(["actual", "settled"] as const).map((counting) => ({
      name: `tokens, eight processes, ${counting}`,
      provider: of(counting, openai),
      clients: 8,
      used: 90,
      refused: 0.5,
    })),
    {
      name: "tokens, eight processes, 20 s",
      provider: of("settled", openai, slow),
      clients: 8,
      used: 90,
      refused: 0.5,
    },
    {
      name: "tokens, eight processes, Anthropic's",
      provider: of("settled", anthropic),
      clients: 8,
      used: 90,
      refused: 0.5,
    },
    {
      name: "tokens, eight processes, a window",
      provider: { ...of("actual", openai), period: MINUTE },
      clients: 8,
      used: 90,
      refused: 0.5,
    },
  ] satisfies readonly Situation[]
).map((situation) => rowOf(situation));
