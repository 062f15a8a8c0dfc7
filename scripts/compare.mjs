// npm run compare
import { runBundled } from './bundled.mjs';

await runBundled('compare', 'scripts/compare/compare.ts');
