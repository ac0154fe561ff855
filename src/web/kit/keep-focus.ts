// Where the focus goes when the element that had it is removed, hidden or disabled. The browser would give it to the body, and
// people at the keyboard would start again at the top of the page.

/** Where the focus was: the element, and its place among the children of each ancestor, from the inside out. */
interface Place {
  readonly layer: Element | null;
  readonly element: HTMLElement;
  readonly steps: readonly { readonly parent: Element; readonly index: number }[];
}

/** Dialogs, menus and popovers: what is closed gives the focus back to what lies below it. */
const LAYERS = "dialog, [data-radix-popper-content-wrapper]";
const FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex], [contenteditable=true]";
const OUT_OF_REACH = "[aria-hidden=true], [inert]";

/** The last place in the page, then in each layer above it. */
let places: Place[] = [];

/** Once, by the entry of the pages. */
export function watchFocus(): void {
  document.addEventListener("focusin", ({ target }) => {
    if (target instanceof HTMLElement && target !== document.body) remember(target);
  });
  // A click beside everything takes the focus away on purpose.
  document.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget === null) setTimeout(() => restore(true));
  });
  new MutationObserver(() => restore(false)).observe(document.body, {
    subtree: true,
    childList: true,
    attributeFilter: ["disabled", "hidden", "inert", "open", "class", "style"],
  });
}

function remember(element: HTMLElement): void {
  const layer = element.closest(LAYERS);
  const known = places.findIndex((place) => place.layer === layer);
  if (known >= 0) places.length = known;
  const steps: Place["steps"][number][] = [];
  for (let child: Element = element; child.parentElement !== null; child = child.parentElement) {
    steps.push({ parent: child.parentElement, index: [...child.parentElement.children].indexOf(child) });
  }
  places.push({ layer, element, steps });
}

function restore(leftOnPurpose: boolean): void {
  if (document.activeElement !== document.body && document.activeElement !== null) return;
  const last = places.at(-1);
  if (last === undefined || !document.hasFocus()) return;
  if (canFocus(last.element)) {
    if (leftOnPurpose) places = [];
    return;
  }
  while (places.length > 1 && !isOpen(places.at(-1)!.layer)) places.pop();
  const place = places.at(-1)!;
  const target = targetOf(isOpen(place.layer) ? place : { ...place, layer: null, steps: [] });
  focusQuietly(() => target?.focus({ preventScroll: true }));
}

let restoring = false;

/** Moves the focus without opening tooltips. */
export function focusQuietly(move: () => void): void {
  restoring = true;
  move();
  restoring = false;
}

/** It is not the person at the page who moves the focus now. */
export function isRestoringFocus(): boolean {
  return restoring;
}

function isOpen(layer: Element | null): boolean {
  if (layer === null) return true;
  return layer.isConnected && !(layer instanceof HTMLDialogElement && !layer.open);
}

/** The same element, else what stands nearest to its place, else the content of the page; null while the next page is loaded. */
function targetOf({ layer, element, steps }: Place): HTMLElement | null {
  if (canFocus(element)) return element;
  const content = document.getElementById("content");
  for (const { parent, index } of steps) {
    if (!parent.isConnected) continue;
    // Another page stands there now, or will.
    if (layer === null && !content?.contains(parent)) break;
    const distance = (at: number) => (at >= index ? at - index : index - at - 0.5);
    const children = [...parent.children].map((child, at) => ({ child, at }));
    for (const { child } of children.toSorted((one, other) => distance(one.at) - distance(other.at))) {
      const found = firstFocusable(child);
      if (found !== null) return found;
    }
    if (canFocus(parent)) return parent;
    if (parent === layer) break;
  }
  return content;
}

function firstFocusable(within: Element): HTMLElement | null {
  if (canFocus(within)) return within;
  return [...within.querySelectorAll<HTMLElement>(FOCUSABLE)].find((element) => canFocus(element)) ?? null;
}

function canFocus(element: Element): element is HTMLElement {
  return (
    element instanceof HTMLElement &&
    element.isConnected &&
    element.matches(FOCUSABLE) &&
    !element.matches(":disabled") &&
    element.closest(OUT_OF_REACH) === null &&
    element.checkVisibility({ visibilityProperty: true })
  );
}
