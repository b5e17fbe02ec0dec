export { type Operation, operation } from "./operation.ts";
export { serveTransports } from "./serve-transports.ts";
export { checkTls } from "./tls-files.ts";
export { welcome } from "./welcome.ts";
