// Texts in headers of requests.
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Header bytes are UTF-8, Latin-1 where they are not; the runtime hands them over as Latin-1. */
export function headerText(value: string | null): string | null {
  if (value === null) return null;
  if ([...value].some((character) => character.codePointAt(0)! > 0xff)) return value;
  try {
    return utf8.decode(Buffer.from(value, "latin1"));
  } catch {
    return value;
  }
}
