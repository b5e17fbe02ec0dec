module.exports = require("../dist/middleware/fastify/index.js");
