/**
 * A login that cannot be guessed: ten wrong passwords an hour for a user from one address, a hundred
 * a day from wherever. Under the first alone guesses could come from many addresses; under the
 * second alone ten of them would lock the user out.
 *
 * A unit is taken before the password is checked: of a thousand guesses sent at once, all would
 * pass a check. What was taken for a right password is returned, so only failures count.
 */
import { DAY, HOUR, RateLimiter } from "spillway";
import { memoryStore } from "spillway/memory";
import { manualClock } from "spillway/testing";

// Leave the store out in an app: this one is here so that the story can let time go by.
const clock = manualClock();
const limiter = new RateLimiter(
  {
    failedLogins: { kind: "token bucket", rate: 10, period: HOUR },
    guesses: { kind: "token bucket", rate: 100, period: DAY },
  },
  { store: memoryStore({ clock }) },
);

type Login = { readonly user: string; readonly address: string };
const keyOf = ({ user, address }: Login) => `${address} ${user}`; // an address has no space
const both = (login: Login) =>
  [
    { limit: "failedLogins", key: keyOf(login) },
    { limit: "guesses", key: login.user },
  ] as const;

/** What the form asks before it is shown; takes nothing. */
export const waitFor = (login: Login): number => limiter.checkAll(both(login)).retryAfter;

/** Logs a user in, or says why not. */
export async function logIn(login: Login, password: string): Promise<string> {
  const { ok, retryAfter } = limiter.limitAll(both(login));
  if (!ok) return `come back in ${retryAfter / 1000} s`;
  if (!(await isRight(password))) return "wrong password";
  limiter.reset("failedLogins", { key: keyOf(login) });
  limiter.settle("guesses", { key: login.user, reserved: 1, used: 0 });
  return "welcome";
}

const isRight = async (password: string) => password === "correct horse";

export async function story(): Promise<string[]> {
  const thief = { user: "ada", address: "192.0.2.1" };
  const guesses = Array.from({ length: 1000 }, (_, n) => logIn(thief, `guess ${n}`));
  const checked = (await Promise.all(guesses)).filter((answer) => answer === "wrong password");
  const lines = [`1000 guesses at once: ${checked.length} were checked`];
  lines.push(`one more: ${await logIn(thief, "correct horse")}`);
  lines.push(`ada at home: ${await logIn({ ...thief, address: "198.51.100.7" }, "correct horse")}`);
  clock.advance(waitFor(thief));
  lines.push(`another guess six minutes later: ${await logIn(thief, "secret")}`);
  lines.push(`guesses left today: ${limiter.value("guesses", { key: "ada" }).remaining}`);
  return lines;
}

if (import.meta.main) console.log((await story()).join("\n"));
