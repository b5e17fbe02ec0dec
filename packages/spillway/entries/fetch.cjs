module.exports = require("../dist/middleware/fetch/index.js");
