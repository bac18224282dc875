/**
 * The words of a text as scikit-learn's CountVectorizer finds them: in lower case, two letters, digits or underscores
 * or more. Python's `\w` knows no combining marks, so that an accent which stands alone ends a word here, too.
 *
 * @param {string} text
 * @returns {string[]}  in the order of the text
 */
export function reviewWords(text) {
  return text.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? [];
}
