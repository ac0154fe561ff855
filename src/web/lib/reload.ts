// Loads the page again by itself after an upgrade of the server: where it stood, once for each build, and never over typed text.
// Behind a balancer with servers of two builds it would else go round in circles.
import { hasTypedText } from "./at-work.ts";

const KEY = "spanlight.reloaded-at";
/** Time that an upgrade of several servers may take. */
const ONCE_IN_MS = 5 * 60_000;

/** False when it must not: the reader must be asked, or the page has only just been loaded again. */
export function reloadByItself(): boolean {
  if (hasTypedText() || hasJustReloaded()) return false;
  try {
    sessionStorage.setItem(KEY, String(Date.now()));
  } catch {
    // Without memory nothing keeps it from doing so again and again.
    return false;
  }
  location.reload();
  return true;
}

function hasJustReloaded(): boolean {
  try {
    return Date.now() - Number(sessionStorage.getItem(KEY) ?? 0) < ONCE_IN_MS;
  } catch {
    return true;
  }
}
