// How wide the window is. As narrow as a phone's, tables have two-line rows and panels cover the page.
import { useSyncExternalStore } from "react";

const NARROW = "(max-width: 700px)";
const WIDE = "(min-width: 1680px)";

function subscribeTo(media: string): (listener: () => void) => () => void {
  return (listener) => {
    const query = matchMedia(media);
    query.addEventListener("change", listener);
    return () => query.removeEventListener("change", listener);
  };
}
const subscribeToNarrow = subscribeTo(NARROW);
const subscribeToWide = subscribeTo(WIDE);

export function useNarrow(): boolean {
  return useSyncExternalStore(subscribeToNarrow, () => matchMedia(NARROW).matches);
}

/** Whether there is space for words beside the icons of the rail. */
export function useWide(): boolean {
  return useSyncExternalStore(subscribeToWide, () => matchMedia(WIDE).matches);
}
