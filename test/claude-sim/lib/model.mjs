const usual = Number(process.env.CLAUDE_SIM_TURN_MS ?? 50);

/**
 * What the stand-in's model does with a message: how long it takes, and the tool call that it wants, if any.
 * `SLOW20` takes 20 s, `CALL:Bash:{…}END` is a call, everything else is answered with one short text.
 */
export function think(text) {
  const slow = /SLOW(\d+)/.exec(text);
  const call = /CALL:(\w+):(\{.*?\})END/s.exec(text);
  return {
    ms: slow ? Number(slow[1]) * 1000 : usual,
    call: call && { name: call[1], input: JSON.parse(call[2]) },
  };
}

/** The one short text. */
export function answerText() {
  return `ok ${new Date().toISOString()}`;
}
