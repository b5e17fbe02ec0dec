export * from "../types/sockets/index.js";
