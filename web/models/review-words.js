// Splits a review into words, as in the training of the review models.

/**
 * Returns the words of a text as scikit-learn's CountVectorizer finds them: in lower case, with at least two letters, digits
 * or underscores. Python's `\w` does not match combining marks, so a separate accent ends a word here too.
 *
 * @param {string} text
 * @returns {string[]}  in the order of the text
 */
export function reviewWords(text) {
  return text.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? [];
}
