/** Unseen characters that stay, because they join what stands on both sides of them, or choose how it is shown. */
const joins = [
  String.raw`(?<=\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}]?\ufe0f?)\u200d(?=\p{Extended_Pictographic})`,
  String.raw`(?<=\p{Extended_Pictographic})\ufe0f`,
  String.raw`(?<=[#*0-9])\ufe0f(?=\u20e3)`,
  String.raw`(?<=\p{Script=Arabic})\u200c(?=\p{Script=Arabic})`,
  String.raw`(?<=[\u094d\u09cd\u0d4d])[\u200c\u200d](?=\p{L})`,
];
const unseen = String.raw`(?![\n\t])[\p{Cc}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u{13430}-\u{1343f}]`;
const looked = new RegExp(`(${joins.join('|')})|${unseen}`, 'gu');

/** A prompt argument as the real one keeps it: line breaks become newlines, and what nobody can see goes. */
export function keptPrompt(text) {
  return text.replace(/\r\n|[\r\v\f\u0085\u2028\u2029]/g, '\n').replace(looked, (_, kept) => kept ?? '');
}

/** The command that a prompt asks for; undefined when it is a message. A path is none. */
export function promptCommand(text) {
  const word = text.trim();
  if (!/^\/[^\s/]*(?:\s|$)/.test(word)) return undefined;
  return word;
}
