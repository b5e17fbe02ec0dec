module.exports = require("../dist/http/middleware/koa/index.js");
