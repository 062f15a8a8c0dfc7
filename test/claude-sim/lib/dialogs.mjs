/** A question on the screen: lines above, options, and what the choice or Esc does. */
export class Dialog {
  selected = 0;

  constructor({
    kind,
    lines,
    options,
    choose,
    cancel,
    hint = 'Enter to confirm · Esc to cancel',
    top = '─',
    numbered = true,
  }) {
    Object.assign(this, { kind, lines, options, choose, cancel, hint, top, numbered });
  }

  /** A key goes to the question and to nothing else: typed text is lost, Enter takes what is selected. */
  press({ key, text }) {
    const last = this.options.length - 1;
    if (key === 'Down') this.selected = Math.min(last, this.selected + 1);
    if (key === 'Up') this.selected = Math.max(0, this.selected - 1);
    if (key === 'Enter') this.choose(this.selected);
    if (key === 'Escape' || key === 'C-c') this.cancel();
    const digit = this.numbered && /^[1-9]$/.test(text ?? '') ? Number(text) - 1 : -1;
    if (digit >= 0 && digit <= last) this.choose(digit);
  }

  /** The dialog as lines of text, `width` wide. */
  drawn(width) {
    const options = this.options.map((option, i) => {
      const mark = i === this.selected ? '❯' : ' ';
      return ` ${mark} ${this.numbered ? `${i + 1}. ` : ''}${option}`;
    });
    return [this.top.repeat(width), ...this.lines.map((line) => ` ${line}`), ...options, '', ` ${this.hint}`, ''];
  }
}

/** "Do you want to proceed?" before a command in manual mode. Its default is Yes. */
export function permissionDialog({ command, description = '' }, cwd, answer) {
  return new Dialog({
    kind: 'permission prompt',
    lines: ['Bash command', description, '╌'.repeat(60), command, '╌'.repeat(60), 'Do you want to proceed?'],
    options: [
      'Yes',
      `Yes, and always allow access to ${cwd} from this project`,
      'Yes, and switch to auto mode · auto mode handles these prompts for you',
      'No',
    ],
    choose: (i) => answer(i < 3, i === 2),
    cancel: () => answer(false, false),
    hint: 'Esc to cancel · Tab to amend',
  });
}

/** What `/exit` asks while a background shell runs. Its default is to leave and stop the shell. */
export function backgroundWorkDialog(shells, { exit, move, stay }) {
  return new Dialog({
    kind: 'dialog open',
    lines: [
      ' Background work is running',
      ' The following will stop when you exit:',
      '',
      ...shells.map((description) => ` shell · ${description}`),
      '',
    ],
    options: ['Exit and stop tasks', 'Move to background and exit', 'Stay'],
    choose: (i) => [exit, move, stay][i](),
    cancel: stay,
    top: '▔',
  });
}
