module.exports = require("../dist/visitors/index.js");
