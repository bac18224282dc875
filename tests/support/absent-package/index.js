// Exports nothing. It exists because transformers.js imports sharp at once, though it uses it only for images.
module.exports = {};
