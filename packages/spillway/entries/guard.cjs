module.exports = require("../dist/middleware/guard/index.js");
