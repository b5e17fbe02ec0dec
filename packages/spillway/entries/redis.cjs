module.exports = require("../dist/stores/redis/index.js");
