module.exports = require("../dist/moving/hono-rate-limiter-store/index.js");
