module.exports = require("../dist/http/moving/express-rate-limit-store/index.js");
