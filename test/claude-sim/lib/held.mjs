import { Dialog } from './dialogs.mjs';

/**
 * A message that is not let through: the setting `hold` parks it; a session that bypasses permission prompts asks first. (The
 * real one names the sender's pid; Node can't ask the socket for it.)
 */
export function hold(session, text, wish, deliver) {
  const why =
    wish === 'hold'
      ? 'Your "crossSessionInbound" setting is "hold"; set it to "accept" to deliver held messages.'
      : 'The sender did not attest its permission mode and this session bypasses prompts. Review it below, or set "crossSessionInbound" to "accept".';
  const note = `Held peer message — from an unidentified session; preview: «${text.split('\n')[0]}» — not delivered to Claude (1 held). ${why}`;
  session.transcript.system('informational', { content: note, level: 'warning' });
  session.say('', `● ${note}`);
  if (wish === 'hold') return session.refresh();
  const close = () => {
    session.dialog = undefined;
    session.refresh();
  };
  session.dialog = new Dialog({
    kind: 'permission prompt',
    lines: ['Held message from another session', '', ...text.split('\n').map((line) => `│ ${line}`)],
    options: ['Deny — drop it and tell the sender it was declined', 'Deliver this message to Claude'],
    choose: (i) => {
      close();
      if (i === 1) deliver();
    },
    cancel: close,
    numbered: false,
  });
  session.refresh();
}
