// The model while its service is down.
export function predict() {
  throw new Error('the scoring service does not answer');
}
