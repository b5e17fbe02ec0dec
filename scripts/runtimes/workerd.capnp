# Serves `worker.js`, which is bundled to beside a copy of this file; the tests fill in what it is compatible with.
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "site", worker = .site)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "site")],
);

const site :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityDate = "DATE",
  compatibilityFlags = [FLAGS],
);
