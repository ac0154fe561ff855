// What a person sees of an element without scrolling, instead of how many pixels it has.
import type { Locator } from "playwright-core";

/** Whether all of it is in the window, without scrolling. */
export const isInView = (element: Locator) =>
  element.evaluate((shown) => {
    const { top, bottom } = shown.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
/** How many lines its text has: pieces of text that stand beside each other are one. */
export const linesOf = (element: Locator) =>
  element.evaluate((shown) => {
    const range = document.createRange();
    range.selectNodeContents(shown);
    const pieces = [...range.getClientRects()]
      .filter(({ height }) => height > 0)
      .sort((one, other) => one.top - other.top);
    let [lines, end] = [0, -Infinity];
    for (const { top, bottom } of pieces) {
      if ((top + bottom) / 2 > end) lines++;
      end = Math.max(end, bottom);
    }
    return lines;
  });
