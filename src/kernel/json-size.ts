// Looks at JSON before it is parsed.

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];

/** Whether the text opens more lists and objects than `most`, each of which takes far more memory than its brackets. */
export function hasMoreOpenings(bytes: Uint8Array, most: number): boolean {
  if (bytes.length <= most) return false;
  let openings = 0;
  for (let i = 0; i < bytes.length; i += 1) if (bytes[i] === 0x7b || bytes[i] === 0x5b) openings += 1;
  return openings > most;
}

/** Whether its objects have more members than `most` together, each of which the engine keeps with a name of its own. */
export function hasMoreMembers(bytes: Uint8Array, most: number): boolean {
  let [members, isText] = [0, false];
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i];
    if (byte === QUOTE) isText = !isText;
    else if (isText && byte === BACKSLASH) i += 1;
    else if (!isText && byte === COLON) members += 1;
  }
  return members > most;
}
