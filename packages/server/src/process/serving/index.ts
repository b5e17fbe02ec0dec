export { type Operation, operation } from "./operation.ts";
export { proxyWelcome } from "./proxy-welcome.ts";
export type { ServeContext } from "./serve-http.ts";
export { serveProxy } from "./serve-proxy.ts";
export { serveTransports, type Transports } from "./serve-transports.ts";
export { checkTls } from "./tls-files.ts";
export { type WelcomeDetails, welcome } from "./welcome.ts";
