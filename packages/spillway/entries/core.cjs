module.exports = require("../dist/limits/core/public.js");
