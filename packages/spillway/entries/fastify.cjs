module.exports = require("../dist/http/middleware/fastify/index.js");
