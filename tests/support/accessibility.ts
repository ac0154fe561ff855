// Holds pages against WCAG 2.2 AA with axe. It takes seconds for a large page, and tests look at the same page in two themes, on two
// databases and in many states: every structure of elements is checked once a file, and its colours once in each theme.
import { expect } from "bun:test";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { smallTargets } from "./targets.ts";

const SOURCE = Bun.file(Bun.resolveSync("axe-core/axe.min.js", import.meta.dir));
const LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
/** The rules whose outcome depends on colours. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

const checkedStructures = new Set<string>();
const checkedColours = new Set<string>();

/** Nothing on the page breaks a rule, and nothing that can be pressed is too small to be hit. */
export async function expectAccessible(page: Page): Promise<void> {
  const { structure, theme } = await page.evaluate(describePage);
  const key = Bun.hash(structure).toString(36);
  const isKnown = checkedStructures.has(key);
  if (!isKnown || !checkedColours.has(`${key} ${theme}`)) {
    // The script is evaluated, not inserted: the page's policy forbids the latter.
    if (!(await page.evaluate("'axe' in window"))) await page.evaluate(await SOURCE.text());
    const runOnly = isKnown ? { type: "rule", values: COLOUR_RULES } : LEVELS;
    const options = JSON.stringify({ runOnly, resultTypes: ["violations"] });
    const { violations } = await page.evaluate<AxeResults>(`axe.run(${options})`);
    expect(
      violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" | ")}`),
    ).toEqual([]);
    checkedStructures.add(key);
    checkedColours.add(`${key} ${theme}`);
  }
  expect(await smallTargets(page)).toEqual([]);
}

/** Runs in the page. `structure` is equal for pages that differ in nothing but colours, the wording of texts and names, and
 *  numbers of ids: elements in their order, roles and states, which of them have texts or names, and which can be scrolled. */
function describePage(): { structure: string; theme: string } {
  const valued =
    /^(role|type|class|tabindex|lang|hidden|inert|disabled|data-state|aria-(?!label|describedby|controls|owns|valuetext|valuenow))/;
  const describe = (element: Element): string => {
    if (element.tagName === "SCRIPT" || element.tagName === "STYLE") return "";
    const isDrawing = element.tagName === "svg";
    const attributes = [...element.attributes]
      .filter(
        ({ name }) => element !== document.documentElement && name !== "style" && !(isDrawing && name === "class"),
      )
      .map(({ name, value }) => (valued.test(name) ? `${name}=${value}` : `${name}=${value.trim() === "" ? "" : "…"}`))
      .sort();
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim());
    const scrolls =
      element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight ? "scrolls" : "";
    const children = isDrawing ? "" : [...element.children].map(describe).join("");
    return `<${element.tagName} ${attributes.join(" ")} ${hasText} ${scrolls}>${children}</>`;
  };
  const theme = `${document.documentElement.dataset.theme ?? ""} ${matchMedia("(prefers-color-scheme: dark)").matches}`;
  return { structure: `${innerWidth} ${document.title === ""}${describe(document.documentElement)}`, theme };
}
