module.exports = require("../dist/http/headers/index.js");
