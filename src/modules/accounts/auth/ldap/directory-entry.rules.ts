// What is read from an entry of a directory. Directories differ in the letter case of attribute names.

export interface DirectoryEntry {
  /** The distinguished name; empty for the root of a directory. */
  readonly name: string;
  /** By attribute name in lower case, without options that say which part of the values came; none is empty. */
  readonly attributes: ReadonlyMap<string, readonly (string | Uint8Array)[]>;
}

/** The first value that is text with something in it; null without one. */
export function textOfEntry({ attributes }: DirectoryEntry, attribute: string | null): string | null {
  if (attribute === null) return null;
  const values = attributes.get(attribute.toLowerCase()) ?? [];
  return textsOf(values)[0] ?? null;
}

export function textsOfEntry({ attributes }: DirectoryEntry, attribute: string): string[] {
  return textsOf(attributes.get(attribute.toLowerCase()) ?? []);
}

function textsOf(values: readonly (string | Uint8Array)[]): string[] {
  return values
    .map((value) => (typeof value === "string" ? value : (textOfBytes(value) ?? "")).trim())
    .filter((text) => text !== "");
}

const GUID_BYTES = 16;

/** The first value as text that stays the same at every sign-in: sixteen bytes as the GUID that Active Directory shows, text in lower
 *  case, other bytes in hexadecimal. Null without one. */
export function uniqueIdOfEntry({ attributes }: DirectoryEntry, attribute: string): string | null {
  const value = attributes.get(attribute.toLowerCase())?.[0];
  if (value === undefined) return null;
  const bytes = typeof value === "string" ? Buffer.from(value) : Buffer.from(value);
  if (bytes.length === GUID_BYTES) return guidOf(bytes);
  const text = textOfBytes(bytes)?.trim().toLowerCase() ?? bytes.toString("hex");
  return text === "" ? null : text;
}

/** The first three groups are stored with the lowest byte first. */
function guidOf(bytes: Buffer): string {
  const turned = (from: number, to: number) => bytes.toString("hex", from, to).match(/../g)!.reverse().join("");
  return [turned(0, 4), turned(4, 6), turned(6, 8), bytes.toString("hex", 8, 10), bytes.toString("hex", 10)].join("-");
}

function textOfBytes(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
