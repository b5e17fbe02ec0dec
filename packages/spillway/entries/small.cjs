module.exports = require("../dist/limiter/small/index.js");
