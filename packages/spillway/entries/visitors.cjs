module.exports = require("../dist/http/visitors/index.js");
