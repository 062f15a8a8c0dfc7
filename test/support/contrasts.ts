/** The contrast of an element's words, in the colour that a property gives, with what is behind them (WCAG 2). */
const CONTRAST = `(one, property) => {
  const parse = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4).reduce((sum, c, at) => sum + c * [0.2126, 0.7152, 0.0722][at], 0);
  let behind = one;
  while (behind.parentElement && parse(getComputedStyle(behind).backgroundColor)[3] === 0) behind = behind.parentElement;
  const [a, b] = [getComputedStyle(one)[property], getComputedStyle(behind).backgroundColor].map(parse).map(light).sort((x, y) => y - x);
  return (a + 0.05) / (b + 0.05);
}`;

/** Each text of a page, and its contrast. */
export const CONTRASTS = `[...document.querySelectorAll('body *')].filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim())).filter((one) => one.offsetParent).map((one) => [one.tagName + ': ' + one.textContent.slice(0, 30), (${CONTRAST})(one, 'color')])`;

/** Each word of the plots that are shown: its height on the screen, and its contrast. */
export const PLOT_WORDS = `[...document.querySelectorAll('svg text')].filter((one) => one.getBoundingClientRect().height > 0).map((one) => [one.textContent, one.getBoundingClientRect().height, (${CONTRAST})(one, 'fill')])`;
