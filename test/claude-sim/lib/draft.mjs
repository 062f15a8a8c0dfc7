/** What stands in the input box: typed text and pasted blocks, which are shown as a mark and sent in a frame. */
export class Draft {
  #text = '';
  #pastes = [];

  get shown() {
    return this.#text;
  }

  get empty() {
    return this.#text === '';
  }

  type(text) {
    this.#text += text;
  }

  paste(text) {
    const lines = text.split(/\r\n|\r|\n/).length - 1;
    if (lines === 0) return this.type(text);
    this.#pastes.push(text);
    this.#text += `[Pasted text #${this.#pastes.length} +${lines} lines]`;
  }

  erase() {
    this.#text = this.#text.replace(/(\[Pasted text #\d+ \+\d+ lines\]|[\s\S])$/u, '');
  }

  /** The text as the rows of the box, `width` wide. */
  rows(width) {
    return this.#cuts(width).map(({ row }) => row);
  }

  /** Ctrl-U: takes away the last row that is seen, not the whole draft. */
  clearRow(width) {
    const { row, start } = this.#cuts(width).at(-1);
    this.#text = this.#text.slice(0, row === '' ? Math.max(0, start - 1) : start);
  }

  /** Where each row begins. A row breaks behind its last space when it has one. */
  #cuts(width) {
    const cuts = [];
    let start = 0;
    for (const line of this.#text.split('\n')) {
      let rest = line;
      while (rest.length > width) {
        const space = rest.lastIndexOf(' ', width);
        const length = space > 0 ? space + 1 : width;
        cuts.push({ row: rest.slice(0, length).trimEnd(), start });
        start += length;
        rest = rest.slice(length);
      }
      cuts.push({ row: rest, start });
      start += rest.length + 1;
    }
    return cuts;
  }

  clear() {
    this.#text = '';
    this.#pastes = [];
  }

  /** Empties the box and returns what is sent. */
  take() {
    const text = this.#text.replace(/\[Pasted text #(\d+) \+\d+ lines\]/g, (mark, n) => {
      const paste = this.#pastes[n - 1]?.replaceAll('\r', '\n');
      return paste === undefined ? mark : `<pasted_content id="${n}">\n${paste}\n</pasted_content>`;
    });
    this.clear();
    return text.trim();
  }
}
