module.exports = require("../dist/http/middleware/express/index.js");
