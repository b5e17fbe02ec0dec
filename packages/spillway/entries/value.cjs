module.exports = require("../dist/http/value/index.js");
