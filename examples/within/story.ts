/** What the examples of this folder do, each with its own library. */
import { RateLimitError } from "spillway";

/** Where an order needs a key of its own. */
export const ORDERS =
  "create table if not exists orders (tenant text, id text, primary key (tenant, id))";

/** The database that the example is run on, where it makes a schema `spillway` and a table `orders`. */
export function urlGiven(): string {
  const [, file = "", url] = process.argv;
  if (url !== undefined) return url;
  console.error(`usage: npm run example ${file} postgres://user@127.0.0.1/database`);
  return process.exit(1);
}

type Shop = {
  /** Takes a unit of the quota and makes the order, or does neither and rejects. */
  order(id: string): Promise<unknown>;
  /** How many orders are left of the quota. */
  left(): Promise<number>;
};

/** One is ordered twice, which the table refuses. The last is one too many, for the limit. */
export async function orderAll({ order, left }: Shop): Promise<string[]> {
  const lines: string[] = [];
  for (const id of ["cup", "cup", "jug", "pot", "pan"]) {
    const end = await order(id).then(() => "ordered", whyNot);
    lines.push(`${id}: ${end}, ${await left()} left`);
  }
  return lines;
}

const whyNot = (error: unknown) =>
  error instanceof RateLimitError ? "refused by the limit" : "refused by the database";
