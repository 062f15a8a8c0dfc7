/** The contrast of each text with what is behind it (WCAG 2). */
export const CONTRASTS = `[...document.querySelectorAll('body *')].filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim())).filter((one) => one.offsetParent).map((one) => {
  const parse = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4).reduce((sum, c, at) => sum + c * [0.2126, 0.7152, 0.0722][at], 0);
  let behind = one;
  while (behind.parentElement && parse(getComputedStyle(behind).backgroundColor)[3] === 0) behind = behind.parentElement;
  const [a, b] = [getComputedStyle(one).color, getComputedStyle(behind).backgroundColor].map(parse).map(light).sort((x, y) => y - x);
  return [one.tagName + ': ' + one.textContent.slice(0, 30), (a + 0.05) / (b + 0.05)];
})`;
