// Activity of the reader on this page: a page must not load itself again over text that was typed and is nowhere else, nor under
// the hands of a reader.

type Field = HTMLInputElement | HTMLTextAreaElement;

/** The value of each field before the first input. */
const before = new Map<Field, string>();
let lastInputMs = Date.now();

function isField(target: EventTarget | null): target is Field {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
}

/** Begins to watch. Once, by the entry of the pages. */
export function watchWork(): void {
  const noteInput = () => {
    lastInputMs = Date.now();
  };
  for (const kind of ["pointerdown", "keydown", "wheel"] as const)
    document.addEventListener(kind, noteInput, { capture: true, passive: true });
  document.addEventListener(
    "beforeinput",
    ({ target }) => {
      if (!isField(target)) return;
      for (const field of before.keys()) if (!field.isConnected) before.delete(field);
      if (!before.has(target)) before.set(target, target.value);
    },
    true,
  );
}

export function hasTypedText(): boolean {
  return [...before].some(([field, value]) => field.isConnected && field.value !== value);
}

/** Milliseconds since the last use of the mouse, the keyboard or a finger. */
export function idleMs(): number {
  return Date.now() - lastInputMs;
}
