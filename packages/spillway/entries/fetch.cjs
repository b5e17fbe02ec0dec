module.exports = require("../dist/http/middleware/fetch/index.js");
