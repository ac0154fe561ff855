// Where a sign-in leads in the end: a page of ours, whatever the address of the login says.

/** Longer ones would not fit into the cookie that keeps them. */
export const LONGEST_RETURN_PATH = 1500;
/** Browsers decode once; more than this is no honest address. */
const MOST_DECODINGS = 5;

/** The path as a `Location` header may hold it, below the root path; null for one that might lead elsewhere. */
export function returnPathOf(text: string): string | null {
  const decoded = fullyDecoded(text);
  if (decoded === null || !/^\/(?:$|[\p{L}\p{N}_])/u.test(decoded) || /[\\\p{Cc}]/u.test(decoded)) return null;
  // Not normalised: without its dots a path may begin with two slashes.
  return text.toWellFormed().replace(/[^\x21-\x7e]+/gu, encodeURIComponent);
}

/** Null where decoding does not end. */
function fullyDecoded(text: string): string | null {
  let current = text;
  for (let count = 0; count < MOST_DECODINGS; count++) {
    const next = decodedOnce(current);
    if (next === current) return current;
    current = next;
  }
  return null;
}

function decodedOnce(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
