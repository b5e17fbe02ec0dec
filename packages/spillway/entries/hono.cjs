module.exports = require("../dist/http/middleware/hono/index.js");
