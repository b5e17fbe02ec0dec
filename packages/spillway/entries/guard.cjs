module.exports = require("../dist/http/guard/index.js");
