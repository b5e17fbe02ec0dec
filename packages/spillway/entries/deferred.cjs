module.exports = require("../dist/deferred/index.js");
