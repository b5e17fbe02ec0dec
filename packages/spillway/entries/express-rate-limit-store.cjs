module.exports = require("../dist/moving/express-rate-limit-store/index.js");
