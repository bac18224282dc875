// `npm start`: installs and builds what is missing, then serves the demo page.
import process from 'node:process';
import { prepareSite, serveSite } from './site.js';

await prepareSite();
const { address } = await serveSite(Number(process.env.PORT ?? 8080)).catch((error) => {
  if (error.code === 'EADDRINUSE') return serveSite(0);
  throw error;
});
console.log(`The demo page is at ${address}`);
console.log(`A dashboard is at ${new URL('../examples/dashboard/', address)}`);
console.log('Stop with Ctrl-C. For an example in the terminal, run: node examples/iris.js');
