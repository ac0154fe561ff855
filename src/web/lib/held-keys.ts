// Keys that are pressed while a part of the page that answers to keys is still on its way: they are kept, and played when it is
// there. Escape and a click forget them.
import { useLayoutEffect } from "react";
import { flushSync } from "react-dom";

interface Hold {
  /** Keys as in `KeyboardEvent.key`; all where it is absent. */
  readonly only?: readonly string[];
  /** Keys that work all the while. */
  readonly except?: readonly string[];
  /** Also what is typed into a field: what comes will take the focus. */
  readonly fields?: boolean;
}

/** More than anybody types in the dark. */
const MOST_KEYS = 200;
const holds = new Set<Hold>();
let kept: KeyboardEvent[] = [];

/** Once, by the entry of the pages. */
export function watchHeldKeys(): void {
  document.addEventListener("keydown", keep, { capture: true });
  document.addEventListener("pointerdown", forgetKeys, { capture: true });
}

/** What they were meant for does not come. */
export function forgetKeys(): void {
  kept = [];
}

/** Keeps keys from now on, until what is returned is called. */
export function holdKeys(hold: Hold = {}): () => void {
  holds.add(hold);
  return () => {
    holds.delete(hold);
    void play();
  };
}

/** Stands where the part will stand. */
export function HoldKeys({ only, except, fields = false }: { only?: string; except?: string; fields?: boolean }) {
  useLayoutEffect(
    () => holdKeys({ ...(only && { only: only.split(" ") }), ...(except && { except: except.split(" ") }), fields }),
    [only, except, fields],
  );
  return null;
}

/** A field that takes characters. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || /^(TEXTAREA|SELECT)$/.test(target.tagName)) return true;
  return target instanceof HTMLInputElement && !/^(checkbox|radio|button|range)$/.test(target.type);
}

function keep(event: KeyboardEvent): void {
  // Those that are played are not trusted.
  if (!event.isTrusted || event.isComposing) return;
  if (event.key === "Escape") forgetKeys();
  if (!isKept(event) || !isHeld(event)) return;
  event.preventDefault();
  event.stopPropagation();
  if (kept.length < MOST_KEYS) kept.push(event);
}

function isHeld({ key, target }: KeyboardEvent): boolean {
  const typing = isTyping(target);
  const all = [...holds];
  if (all.some(({ except }) => except?.includes(key))) return false;
  // What follows a kept key waits with it.
  if (kept.length > 0 && !typing) return true;
  return all.some(({ only, fields }) => (fields === true || !typing) && only?.includes(key) !== false);
}

/** The browser keeps its own: Tab, the keys of its menus, what has a modifier. */
function isKept({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (altKey) return false;
  if (ctrlKey || metaKey) return key === "k" || key === "Enter";
  return key.length === 1 || /^(Enter|Backspace|Home|End|Arrow\w+)$/.test(key);
}

let playing = false;

/** One after the other: each may open something that holds the rest. */
async function play(): Promise<void> {
  if (playing) return;
  playing = true;
  // Effects of what is there now register its keys and move the focus.
  await drawn();
  while (holds.size === 0 && kept.length > 0) {
    const event = kept.shift()!;
    flushSync(() => press(event));
    await drawn();
  }
  playing = false;
}

async function drawn(): Promise<void> {
  for (let task = 0; task < 2; task++) await new Promise((resolve) => setTimeout(resolve));
}

/** As if it were pressed now, where the focus is. */
function press({ key, code, ctrlKey, metaKey, shiftKey }: KeyboardEvent): void {
  const target = document.activeElement ?? document.body;
  const options = { key, code, ctrlKey, metaKey, shiftKey, bubbles: true, cancelable: true };
  if (!target.dispatchEvent(new KeyboardEvent("keydown", options)) || ctrlKey || metaKey) return;
  if (isTyping(target)) typeInto(target, key);
  else if (
    target.matches(key === "Enter" ? "button, a, summary" : "button, [type=checkbox]") &&
    /^(Enter| )$/.test(key)
  )
    (target as HTMLElement).click();
}

/** What the browser would do by itself. */
function typeInto(target: Element, key: string): void {
  if (key === "Backspace") document.execCommand("delete");
  else if (key === "Enter" && target instanceof HTMLInputElement) target.form?.requestSubmit();
  else if (key === "Enter") document.execCommand("insertLineBreak");
  // The only way that the field and whatever listens to it take for typing.
  else if (key.length === 1) document.execCommand("insertText", false, key);
}
