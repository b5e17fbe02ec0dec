/** The arguments and replies of the script for the register. All are pure. */
import type { RegisterAnswer, RegisterCommand } from "../../limits/core/index.ts";

/** Returns the arguments for a command; see `lua/register.lua`. */
export function registerArguments(command: RegisterCommand, now: number | undefined): string[] {
  const { verb } = command;
  return [verb, `${now ?? ""}`, ...fieldsOf(command).map(String)];
}

function fieldsOf(command: RegisterCommand): readonly (string | number)[] {
  switch (command.verb) {
    case "put": {
      const { id, revision, reason } = command.entry;
      return [id, revision, reason, command.ms];
    }
    case "remove":
      return [command.id, command.revision];
    case "list":
      return [command.after, command.before, command.most];
  }
}

/** Returns the answer that a reply means. @throws Error if it is no reply to the command */
export function readRegisterReply<C extends RegisterCommand>(
  { verb }: C,
  reply: unknown,
): RegisterAnswer<C> {
  return (verb === "list" ? entriesIn(reply) : undefined) as RegisterAnswer<C>;
}

function entriesIn(reply: unknown) {
  if (!Array.isArray(reply)) throw new Error("the register's reply is not a list");
  const texts = reply.map(String);
  return texts.flatMap((id, index) => (index % 2 === 0 ? entryFrom(id, texts[index + 1]) : []));
}

function entryFrom(id: string, text = "") {
  const [, revision, since, reason] = /^(\d+) (\d+) (.*)$/s.exec(text) ?? [];
  if (reason === undefined) throw new Error("the register has an entry that can't be read");
  return [{ id, reason, revision: Number(revision), since: Number(since) }];
}
