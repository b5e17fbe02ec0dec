/** Every example is run, and prints what its comment promises. */
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";

type Story = () => readonly string[] | Promise<readonly string[]>;

/** The same with every framework. */
const LOGIN = [
  "100 wrong passwords at once: 10 were tried",
  "the right one from there: come back in 360 s",
  "ada at home: welcome",
  "one more from each of 200 addresses: 90 were tried",
  "ada at home: come back in 36 s",
  "ada, 36 seconds later: welcome",
];

const STORIES: { readonly [file: string]: readonly string[] } = {
  "api-clients.ts": ["6 of 6 answered", "what was refused was sent again"],
  "chat.ts": [
    "a third connection: 429, no handshake",
    'bob hears "ada: hello"',
    "50 more at once: two seconds' worth is heard, then 1008",
    "the reason says when to come back: true",
  ],
  "crawler.ts": [
    "10 pages found, 10 served",
    expect.stringMatching(/^at most [12] at a time, 0 refused$/),
  ],
  "limits-from-a-file.ts": [
    "in shadow mode: 1 of 3 would be refused",
    "changed: search",
    "mode: enforce: 0 of 3 admitted",
    expect.stringMatching(/:4:93 bad-mode found "of", expected one of enforce, shadow, off/),
    "mode: of: 0 of 3 admitted",
    "changed: search",
    'mode: "off": 3 of 3 admitted',
  ],
  "llm-calls.ts": ["3 processes: 30 of 30 calls answered"],
  "llm-tokens.ts": [
    "started after 0 ms, used 12000 of 30000, 28000 left",
    "started after 3000 ms, used 33000 of 30000, 0 left",
    "started after 42000 ms, used 25000 of 25000, 0 left",
    "refused (limited), come back in 15000 ms",
    "started after 0 ms, used 40000 of 40000, 0 left",
  ],
  "login-express.ts": LOGIN,
  "login-fastify.ts": LOGIN,
  "mailing.ts": [
    "grace 202, alan 202, mary 202, grace 202, john 202, kurt 429",
    "alan, cancelled: 200",
    "kurt, once more: 202",
    "sent: grace, john, kurt, mary",
    "alan's: cancelled",
  ],
  "messages.ts": [
    "at first: 20 of 20 messages left",
    "25 at once: 20 are sent, then the wait is 6000 ms",
    "another user: 20 of 20 messages left",
    "half a minute later: 5 of 20 messages left",
    "a minute later: 15 of 20 messages left",
    "and another: 20 of 20 messages left",
  ],
  "own-store.ts": [
    expect.stringMatching(/^a store of one's own passes all \d+ cases/),
    "100 asks of which 10 are admitted cost it 11 requests",
  ],
  "reports.ts": [
    "printed",
    "printed",
    "printed",
    "three of your reports are being written already",
    "written at once",
    "written in its turn",
    "while it holds one, 2 are left",
    "five minutes after it died, 3 are left",
  ],
  "rules-express.ts": [
    "POST /login: 200",
    "POST /LOGIN: 200",
    "POST /x/../login: 200",
    "POST /login/: 200",
    "POST /login: 200",
    "the sixth: 429, Retry-After is there: true",
    'by plan: "shop/api_key=pro_*";q=600;w=60',
  ],
  "several-limits.ts": [
    "export 1: 100 rows exported",
    "export 2: 100 rows exported",
    "export 3: 100 rows exported",
    "export 4: 100 rows exported",
    "export 5: 100 rows exported",
    "export 6: refused by burst, come back in 0.2 s",
    "0.2 s later: 100 rows exported",
    "and again: refused by burst and exports, come back in 3599.8 s",
    "after a better plan was bought: refused by burst, come back in 0.2 s",
    "0.2 s later: 100 rows exported",
    "rows left today: 300",
  ],
  "sign-up.ts": [
    "one address, 50 times: 3 signed up",
    "the last of them: refused by signUpsFrom, come back in 28800 s",
    "left for all others: 97",
    "97 other addresses: 97 signed up",
    "one more: refused by signUps, come back in 36 s",
    "36 seconds later: signed up",
  ],
  "visitors.ts": [
    "a stranger who drops 1000 cookies: 60 ids, 20 searches",
    "and with all of them at once: 20 searches",
    "ada, behind the same address: refused",
    "once she has solved a challenge: found",
    "on her way home: found",
    "the same solution again: no other id",
  ],
};

const FOLDER = new URL(".", import.meta.url);
const files = readdirSync(FOLDER).filter((file) => /(?<!\.test)\.ts$/.test(file));

test.each(files)("%s prints what it promises", async (file) => {
  const { story } = (await import(new URL(file, FOLDER).href)) as { story: Story };
  expect(await story()).toEqual(STORIES[file]);
});
