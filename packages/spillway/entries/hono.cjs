module.exports = require("../dist/middleware/hono/index.js");
