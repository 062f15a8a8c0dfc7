// npm run demo
import { runBundled } from './bundled.mjs';

await runBundled('demo', 'scripts/demo/demo.ts');
