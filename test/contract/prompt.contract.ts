import { expect, it } from 'vitest';
import { plainBrief } from '../../src/lib/decide/spawn-plan.ts';
import type { World } from '../support/world.ts';
import { userTexts } from './facts.ts';
import { inEachWorld } from './worlds.ts';

const JOINED = [
  '👩\u200d💻 👩🏽\u200d🚀 👨\u200d👩\u200d👧\u200d👦 ❤\ufe0f\u200d🔥 🏳\ufe0f\u200d🌈 ⚠\u200d⚠ ⚠\ufe0f done ©\ufe0f 1\ufe0f\u20e3 #\ufe0f\u20e3',
  'می\u200cخواهم نمی\u200cدانم خانه\u200cها کتاب\u200cهای دانش\u200cآموز بر\u200cنامه دو\u200cباره از\u200cاین آن\u200cکه پ\u200cر',
  'क्\u200dष क्\u200cष র\u09cd\u200dয ന\u0d4d\u200dറ',
  'a\u200db 👩\u200d x \u200d💻 →\ufe0f #\ufe0f ⚠\ufe0f\ufe0f a\u200cb \u200cمی\u200c می\u200cx 🇩\u200d🇪',
].join('\n');

/** Starts a session with a prompt as its argument, as nothing of ours has touched it. */
async function told(world: World, kind: string, prompt: string): Promise<string> {
  const cwd = await world.folder();
  if (kind === 'background') {
    const { id } = await world.startBackground({ prompt, cwd, args: [] });
    return (await world.row((row) => row.id === id)).sessionId ?? '';
  }
  const pane = await world.startInteractive({ prompt, cwd });
  return (await world.row(pane)).sessionId ?? '';
}

/** Every character of the kinds that are suspected to be taken out, and the neighbours of each kind that are not. */
function suspects(): string {
  const all: number[] = [];
  for (let code = 1; code <= 0xe01ff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const character = String.fromCodePoint(code);
    if (/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Zs}\p{Variation_Selector}]/u.test(character))
      all.push(code);
  }
  // Runs of reserved code points are told by their ends.
  const kept = all.filter((code, at) => all[at - 1] !== code - 1 || all[at + 1] !== code + 1 || code < 0x3000);
  return kept.map((code) => `${code.toString(16)}<${String.fromCodePoint(code)}>`).join(' ');
}

inEachWorld('a prompt argument', (world) => {
  it.each([
    ['background', 'line ends', 'a\r\nb\rc\n\rd\u000be\u000cf\u0085g\u2028h\u2029i\n\nj\tk  \n'],
    ['interactive', 'line ends', 'a\r\nb\rc\n\rd\u000be\u000cf\u0085g\u2028h\u2029i\n\nj\tk  \n'],
    ['background', 'unseen characters', suspects()],
    ['interactive', 'unseen characters', `${suspects()} \u001b[31mred\u001b[0m`],
    ['background', 'what joins, in the form that a brief is given', plainBrief(JOINED)],
    ['interactive', 'what joins, in the form that a brief is given', plainBrief(JOINED)],
  ])('is kept (%s) as plainBrief says: %s', async (kind, _, prompt) => {
    const sid = await told(world(), kind, prompt);
    const [text] = await world().until(async () => {
      const texts = userTexts(await world().transcript(sid));
      return texts.length > 0 && texts;
    });
    expect(text).toBe(plainBrief(prompt));
  });

  it.each(['/status now', '/no-such-command x', '/'])('is no message when it is a command: %j', async (prompt) => {
    const pane = await world().startInteractive({ prompt, cwd: await world().folder() });
    const { sessionId = '' } = await world().row(pane);
    await new Promise((done) => setTimeout(done, 4000));
    const texts = userTexts(await world().transcript(sessionId));
    expect(texts.filter((text) => text.trim() === prompt)).toEqual([]);
  });

  it.each(['/etc/hosts is a file', '!ls', '#note', '@x', '?'])(
    'is a message, whatever it begins with: %j',
    async (prompt) => {
      const sid = await told(world(), 'interactive', prompt);
      await world().until(async () => userTexts(await world().transcript(sid)).includes(prompt), { what: 'it' });
    },
  );
});
