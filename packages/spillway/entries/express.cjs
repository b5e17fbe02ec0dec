module.exports = require("../dist/middleware/express/index.js");
