module.exports = require("../dist/moving/nestjs-throttler-storage/index.js");
