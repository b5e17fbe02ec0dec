module.exports = require("../dist/http/middleware/node/index.js");
