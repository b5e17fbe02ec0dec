module.exports = require("../dist/limits/algorithms/public.js");
