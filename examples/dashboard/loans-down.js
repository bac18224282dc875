// A model that fails, as if its service were down.
export function predict() {
  throw new Error('the scoring service does not respond');
}
