module.exports = require("../dist/middleware/node/index.js");
