/** nginx in front of a program, with and without a question to the service for each request. */
import { type Nginx, startNginx } from "../nginx.ts";

/** Where the program behind nginx, and the service, listen. */
type Upstreams = { readonly program: number; readonly service: number };

/** Starts an nginx whose `/asked` and `/bare` lead to the program, with and without a question. */
export function startAskingNginx({ program, service }: Upstreams): Promise<Nginx> {
  return startNginx(
    ({ port }) => `access_log off;
upstream program { server 127.0.0.1:${program}; keepalive 64; }
upstream service { server 127.0.0.1:${service}; keepalive 64; }
proxy_http_version 1.1;
keepalive_requests 1000000;
server {
  listen 127.0.0.1:${port};
  location = /ready { return 204; }
  location / { proxy_set_header Connection ""; proxy_pass http://program; }
  location = /asked {
    auth_request /_spillway;
    auth_request_set $ratelimit $upstream_http_ratelimit;
    add_header RateLimit $ratelimit always;
    proxy_set_header Connection ""; proxy_pass http://program;
  }
  location = /_spillway {
    internal;
    proxy_pass http://service/auth/nginx?refuse=403;
    proxy_pass_request_headers off;
    proxy_pass_request_body off;
    proxy_set_header Host localhost;
    proxy_set_header Connection "";
    proxy_set_header Content-Length "";
    proxy_set_header X-Original-Method $request_method;
    proxy_set_header X-Original-URI $request_uri;
    proxy_set_header X-Original-Host $host;
    proxy_set_header X-Forwarded-For $remote_addr;
  }
}`,
  );
}
