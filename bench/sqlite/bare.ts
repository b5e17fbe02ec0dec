/** A transaction that reads a row and writes it: the least that a decision in a file can cost. */
import { DatabaseSync } from "node:sqlite";
import type { Contender } from "./contender.ts";

export const bareTransaction: Contender<number> = {
  name: "bare transaction",
  async open(path) {
    const database = new DatabaseSync(path);
    database.exec("pragma journal_mode = wal; pragma synchronous = normal");
    database.exec("create table counts (id text primary key, count real) without rowid");
    const begin = database.prepare("begin immediate");
    const read = database.prepare("select count from counts where id = ?");
    const write = database.prepare("replace into counts values (?, ?)");
    const commit = database.prepare("commit");
    return (key) => {
      begin.run();
      const count = Number(read.get(key)?.count ?? 0) + 1;
      write.run(key, count);
      commit.run();
      return count;
    };
  },
  isDue: (count) => count > 0,
};
