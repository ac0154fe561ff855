// Looks at JSON before it is parsed.

/** Whether the text opens more lists and objects than `most`, each of which takes far more memory than its brackets. */
export function hasMoreOpenings(bytes: Uint8Array, most: number): boolean {
  if (bytes.length <= most) return false;
  let openings = 0;
  for (let i = 0; i < bytes.length; i += 1) if (bytes[i] === 0x7b || bytes[i] === 0x5b) openings += 1;
  return openings > most;
}
