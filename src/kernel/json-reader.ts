// A JSON parser of our own, for two texts that the engine's is no use for: those whose numbers must keep their source (its
// reviver takes microseconds and 200 bytes for each), and broken ones, of which it does not say where they break.
import { JsonScanner, JsonSyntaxError, type NumberForms, QUOTE } from "./json-scanner.ts";

type Container = unknown[] | Record<string, unknown>;

/** What may stand at the current position. */
const Expected = { value: 0, valueOrEnd: 1, name: 2, nameOrEnd: 3, colon: 4, commaOrEnd: 5 } as const;
type Expected = (typeof Expected)[keyof typeof Expected];

const [COMMA, COLON] = [44, 58] as const;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125] as const;

/** Parses a text of any depth in one pass. Throws SyntaxError. The texts in the result are copies: none keeps the whole source
 *  in memory. */
export function readJson(text: string, numbers: NumberForms): unknown {
  return walk(text, numbers);
}

/** The offset, in UTF-16 units, of the first character that no JSON text can have there; the length of the text when it ends
 *  too early, or is JSON. Builds nothing. */
export function syntaxErrorOffset(text: string): number {
  try {
    walk(text, null);
    return text.length;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error.offset;
    throw error;
  }
}

const SOME_LIST: unknown[] = [];
const SOME_OBJECT: Record<string, unknown> = {};

/** Without forms of numbers it only looks whether the text is JSON. */
function walk(text: string, numbers: NumberForms | null): unknown {
  const scanner = new JsonScanner(text, numbers);
  /** The containers around the current one, and the names under which they and it are put into theirs. */
  const outer: Container[] = [];
  const names: string[] = [];
  let container: Container | null = null;
  let isList = false;
  let name = "";
  let result: unknown;
  let expected = Expected.value as Expected;

  function put(value: unknown): void {
    expected = Expected.commaOrEnd;
    if (numbers === null) return;
    if (container === null) result = value;
    else if (isList) (container as unknown[]).push(value);
    else setMember(container as Record<string, unknown>, name, value);
  }

  function open(list: boolean): void {
    scanner.at++;
    if (container !== null) outer.push(container);
    if (numbers === null) container = list ? SOME_LIST : SOME_OBJECT;
    else {
      names.push(name);
      container = list ? [] : {};
    }
    isList = list;
    expected = list ? Expected.valueOrEnd : Expected.nameOrEnd;
  }

  function close(): void {
    scanner.at++;
    const closed = container;
    container = outer.pop() ?? null;
    isList = Array.isArray(container);
    name = names.pop() ?? "";
    put(closed);
  }

  for (;;) {
    const code = scanner.nextCode();
    if (expected === Expected.commaOrEnd && container === null) {
      if (scanner.at >= text.length) return result;
      throw new JsonSyntaxError(scanner.at);
    }
    const mayClose =
      expected === Expected.commaOrEnd || expected === Expected.valueOrEnd || expected === Expected.nameOrEnd;
    if (mayClose && code === (isList ? CLOSE_LIST : CLOSE_OBJECT)) close();
    else if (expected === Expected.commaOrEnd) {
      if (code !== COMMA) throw new JsonSyntaxError(scanner.at);
      scanner.at++;
      expected = isList ? Expected.value : Expected.name;
    } else if (expected === Expected.colon) {
      if (code !== COLON) throw new JsonSyntaxError(scanner.at);
      scanner.at++;
      expected = Expected.value;
    } else if (expected === Expected.name || expected === Expected.nameOrEnd) {
      if (code !== QUOTE) throw new JsonSyntaxError(scanner.at);
      name = scanner.readText();
      expected = Expected.colon;
    } else if (code === OPEN_LIST || code === OPEN_OBJECT) open(code === OPEN_LIST);
    else put(scanner.readScalar(code));
  }
}

/** `__proto__` is an ordinary member, as for the engine's parser. */
function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== "__proto__") object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}
