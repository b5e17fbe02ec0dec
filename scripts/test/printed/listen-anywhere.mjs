/** Loaded before a printed program: it listens where there is room, and says where that is. */
import { Server } from "node:net";

const { listen } = Server.prototype;

Server.prototype.listen = function (_port, ...rest) {
  this.once("listening", () => process.send?.(this.address().port));
  return listen.call(this, 0, ...rest.filter((each) => typeof each === "function"));
};
