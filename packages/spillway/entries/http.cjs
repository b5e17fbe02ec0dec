module.exports = require("../dist/http/index.js");
