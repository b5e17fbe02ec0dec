module.exports = require("../dist/http/moving/hono-rate-limiter-store/index.js");
