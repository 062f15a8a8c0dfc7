// npm run pictures
import { runBundled } from './bundled.mjs';

await runBundled('pictures', 'scripts/pictures/pictures.ts');
