module.exports = require("../dist/http/moving/nestjs-throttler-storage/index.js");
