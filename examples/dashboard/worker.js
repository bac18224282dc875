// Explains the applicants it is given, one at a time. An error does not survive the journey whole: its words do.
import { errorInWords, explainApplicant } from './explain-applicant.js';

addEventListener('message', async ({ data: { index, down } }) => {
  try {
    postMessage({ index, explanation: await explainApplicant(index, { down }) });
  } catch (error) {
    postMessage({ index, error: errorInWords(error) });
  }
});
// A message that comes before this line would be lost: the module above has waited for its table.
postMessage({ ready: true });
