module.exports = require("../dist/middleware/koa/index.js");
