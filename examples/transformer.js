// Explains which words make a transformer call a review good or bad, with transformers.js.
//
//     node examples/transformer.js ["your own text"]
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { env, pipeline } from '@huggingface/transformers';
import { explainText, renderTerminal } from 'linex';
import { fromPipeline } from 'linex/adapters';

const REVIEW = 'The cast is wonderful, the script is a mess, and the ending left me cold.';

// The model is in this repository. For models of the Hugging Face hub, leave these two lines out.
env.allowRemoteModels = false;
env.localModelPath = fileURLToPath(new URL('../web/models/', import.meta.url));

/** Explains a review. @param {string} [text] */
export async function explainByTransformer(text = REVIEW) {
  const classify = await pipeline('text-classification', 'reviews-transformer', { dtype: 'q8' });
  return explainText(text, fromPipeline(classify), { samples: 300 });
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  console.log(renderTerminal(await explainByTransformer(process.argv[2]), { color: process.stdout.isTTY }));
