// Global ids: base64 of "<Type>:<row id>", the form that clients store and send back (docs/protocol/rest.md#ids).

/** Row ids on the wire stay below 2^31: clients read them as 32-bit integers. */
export const MAX_ROW_ID = 2_147_483_647;

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const NODE = /^([A-Za-z]+):(-?\d+)$/;

/** The type word of global ids, which also tells the compiler whose rows it names. */
export type TypeWord<Row> = string & { readonly __row?: Row };

interface GlobalId {
  readonly type: string;
  readonly rowId: number;
}

export function globalId(type: string, rowId: number): string {
  return Buffer.from(`${type}:${rowId}`, "utf8").toString("base64");
}

/** A global id whose key is a name. */
export function namedId(type: string, name: string): string {
  return Buffer.from(`${type}:${name}`, "utf8").toString("base64");
}

/** Reads a global id of any type, or null for any other text. A number beyond the range of row ids is read as -1,
 *  which no row has, so that an impossible id is simply not found. */
export function findGlobalId(text: string): GlobalId | null {
  if (text.length === 0 || !BASE64.test(text)) return null;
  const node = NODE.exec(Buffer.from(text, "base64").toString("utf8"));
  if (node === null) return null;
  const rowId = Number(node[2]);
  return { type: node[1]!, rowId: rowId >= 0 && rowId <= MAX_ROW_ID ? rowId : -1 };
}

/** The row id of a global id of the given type, or null for any other text: the caller then reads it as a name or key. */
export function findRowId(type: string, text: string): number | null {
  const id = findGlobalId(text);
  return id !== null && id.type === type ? id.rowId : null;
}

/** What a text names: the row of a global id of the given type, else a row by its name or key. */
export type Identified = { readonly id: number } | { readonly key: string };

/** A global id of the type is read as such even if no row has it; any other text is a name or key. */
export function identified(type: string, text: string): Identified {
  const id = findRowId(type, text);
  return id === null ? { key: text } : { id };
}

/** The same for many texts. */
export function identifiedAll(type: string, texts: readonly string[]) {
  const named = texts.map((text) => identified(type, text));
  return {
    ids: named.flatMap((one) => ("id" in one ? [one.id] : [])),
    keys: named.flatMap((one) => ("key" in one ? [one.key] : [])),
  };
}
