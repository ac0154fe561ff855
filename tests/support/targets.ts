// What can be pressed on a page, and whether it is large enough for a finger.
import type { Page } from "playwright-core";

/** Pixels, both ways. */
const LEAST = 24;

/** Targets below 24 pixels, each with its size and the beginning of its source. The room around counts where a press into it works, as on
 *  the label of a field. Links inside of a text are as large as the text. */
export async function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(findSmall, LEAST);
}

/** Runs in the page. */
function findSmall(least: number): string[] {
  const pressed =
    "a[href], button, input, select, textarea, summary, [role=button], [role=switch], [role=tab], [role=checkbox], [role=option], label:has(input)";
  const isInText = (element: Element) =>
    getComputedStyle(element).display === "inline" &&
    [...(element.parentElement?.childNodes ?? [])].some((node) => node.nodeType === 3 && node.textContent?.trim());
  const reaches = (element: Element, x: number, y: number) => {
    const hit = document.elementFromPoint(x, y);
    if (hit === null) return false;
    const label = hit.closest("label");
    return element.contains(hit) || (label !== null && label.control === element);
  };
  const found: string[] = [];
  for (const element of document.querySelectorAll<HTMLElement>(pressed)) {
    if (!element.checkVisibility({ visibilityProperty: true }) || element.closest("[inert], :disabled") !== null)
      continue;
    const around = element.closest("label");
    const target = around !== null && around.control === element ? around : element;
    const { width, height, left, top } = target.getBoundingClientRect();
    const own = element.getBoundingClientRect();
    // What only screen readers see.
    if (own.width <= 1 || own.height <= 1 || (width >= least && height >= least) || isInText(element)) continue;
    const [x, y] = [left + width / 2, top + height / 2];
    // Out of sight, or below something that is open over it.
    if (!reaches(element, x, y)) continue;
    const half = least / 2 - 0.5;
    const isWide = reaches(element, x - half, y) && reaches(element, x + half, y);
    const isHigh = reaches(element, x, y - half) && reaches(element, x, y + half);
    if (isWide && isHigh) continue;
    found.push(`${Math.round(width)} × ${Math.round(height)}: ${element.outerHTML.slice(0, 160)}`);
  }
  return found;
}
