// Search filters of a directory (RFC 4515), read once as a tree. A name is put into its values and nowhere else, so that no name can
// change what a filter asks, whatever characters it is made of.

export type DirectoryFilter =
  | { readonly kind: "and" | "or"; readonly filters: readonly DirectoryFilter[] }
  | { readonly kind: "not"; readonly filter: DirectoryFilter }
  | { readonly kind: "present"; readonly attribute: string }
  | {
      readonly kind: "equal" | "at least" | "at most" | "similar";
      readonly attribute: string;
      readonly value: string;
    }
  | {
      readonly kind: "substrings";
      readonly attribute: string;
      /** Empty where the value may begin, or end, with anything. */
      readonly initial: string;
      readonly inner: readonly string[];
      readonly final: string;
    }
  | {
      readonly kind: "extensible";
      /** Empty for every attribute that the rule is for. */
      readonly attribute: string;
      /** Empty for the attribute's own. */
      readonly rule: string;
      readonly includesName: boolean;
      readonly value: string;
    };

/** Stands for a name in the values of a filter. */
const NAME_PLACEHOLDER = "%s";

const ATTRIBUTE = "(?:[A-Za-z][A-Za-z0-9-]*|\\d+(?:\\.\\d+)*)(?:;[A-Za-z0-9-]+)*";
const SIMPLE = new RegExp(`^(${ATTRIBUTE}) *(=|>=|<=|~=)(.*)$`, "s");
const EXTENSIBLE = new RegExp(`^(${ATTRIBUTE})?(:[dD][nN])?(?::(${ATTRIBUTE}))?:=(.*)$`, "s");
const COMPARISONS = { "=": "equal", ">=": "at least", "<=": "at most", "~=": "similar" } as const;
/** Real filters are not deeper; deeper ones would exhaust the stack. */
const DEEPEST = 50;

/** What is wrong with a filter, without a full stop. */
class FilterMistake extends Error {}

/** The tree of a filter, or what is wrong with it, without a full stop. Parentheses around the whole may be left out. */
export function readDirectoryFilter(text: string): DirectoryFilter | string {
  const trimmed = text.trim();
  const whole = trimmed.startsWith("(") ? trimmed : `(${trimmed})`;
  try {
    const { filter, end } = readFilter(whole, 0, DEEPEST);
    if (end < whole.length) throw new FilterMistake(`there is more behind its last parenthesis: ${whole.slice(end)}`);
    return filter;
  } catch (error) {
    if (error instanceof FilterMistake) return error.message;
    throw error;
  }
}

/** Whether a value of the filter has a place for a name. */
export function hasNamePlaceholder(filter: DirectoryFilter): boolean {
  let found = false;
  mapValues(filter, (value) => {
    found ||= value.includes(NAME_PLACEHOLDER);
    return value;
  });
  return found;
}

/** The filter for one name, which is compared as it stands: none of its characters has a meaning. */
export function filterFor(filter: DirectoryFilter, name: string): DirectoryFilter {
  return mapValues(filter, (value) => value.replaceAll(NAME_PLACEHOLDER, () => name));
}

function mapValues(filter: DirectoryFilter, map: (value: string) => string): DirectoryFilter {
  switch (filter.kind) {
    case "and":
    case "or":
      return { ...filter, filters: filter.filters.map((inner) => mapValues(inner, map)) };
    case "not":
      return { ...filter, filter: mapValues(filter.filter, map) };
    case "present":
      return filter;
    case "substrings":
      return { ...filter, initial: map(filter.initial), inner: filter.inner.map(map), final: map(filter.final) };
    default:
      return { ...filter, value: map(filter.value) };
  }
}

interface Read {
  readonly filter: DirectoryFilter;
  /** Behind its closing parenthesis. */
  readonly end: number;
}

function readFilter(text: string, start: number, depth: number): Read {
  if (text[start] !== "(") throw new FilterMistake(`a parenthesis is missing before: ${text.slice(start)}`);
  if (depth === 0) throw new FilterMistake(`it is more than ${DEEPEST} levels deep`);
  const operator = text[start + 1];
  if (operator === "&" || operator === "|") {
    const { filters, end } = readFilters(text, start + 2, depth - 1);
    return { filter: { kind: operator === "&" ? "and" : "or", filters }, end };
  }
  if (operator === "!") {
    const { filters, end } = readFilters(text, start + 2, depth - 1);
    if (filters.length !== 1) throw new FilterMistake("! needs exactly one filter");
    return { filter: { kind: "not", filter: filters[0]! }, end };
  }
  const close = text.indexOf(")", start);
  if (close < 0) throw new FilterMistake("its parentheses are not balanced");
  return { filter: readItem(text.slice(start + 1, close).trimStart()), end: close + 1 };
}

/** Those up to the closing parenthesis, with blanks between them as people write them. */
function readFilters(text: string, start: number, depth: number) {
  const filters: DirectoryFilter[] = [];
  let at = behindBlanks(text, start);
  while (text[at] === "(") {
    const { filter, end } = readFilter(text, at, depth);
    filters.push(filter);
    at = behindBlanks(text, end);
  }
  if (text[at] !== ")") throw new FilterMistake("its parentheses are not balanced");
  if (filters.length === 0) throw new FilterMistake("& and | need a filter");
  return { filters, end: at + 1 };
}

function behindBlanks(text: string, start: number): number {
  let at = start;
  while (/\s/.test(text[at] ?? "")) at++;
  return at;
}

function readItem(item: string): DirectoryFilter {
  const simple = SIMPLE.exec(item);
  if (simple !== null) {
    const [, attribute = "", sign = "=", written = ""] = simple;
    const pieces = written.split("*");
    if (sign !== "=" || pieces.length === 1) {
      return { kind: COMPARISONS[sign as keyof typeof COMPARISONS], attribute, value: unescaped(written) };
    }
    if (/^\*+$/.test(written)) return { kind: "present", attribute };
    const [initial = "", ...rest] = pieces.map(unescaped);
    const final = rest.pop() ?? "";
    return { kind: "substrings", attribute, initial, inner: rest.filter((piece) => piece !== ""), final };
  }
  const extensible = EXTENSIBLE.exec(item);
  if (extensible === null) throw new FilterMistake(`this is no comparison: (${item})`);
  const [, attribute = "", dn, rule = "", written = ""] = extensible;
  if (attribute === "" && rule === "") throw new FilterMistake(`an attribute is missing: (${item})`);
  return { kind: "extensible", attribute, rule, includesName: dn !== undefined, value: unescaped(written) };
}

/** The value that is written with escapes. */
function unescaped(written: string): string {
  if (/[(*\0]/.test(written)) throw new FilterMistake(`this value needs escapes: ${written}`);
  return written.replace(/(?:\\[0-9A-Fa-f]{2})+|\\/g, (escapes) => {
    try {
      if (escapes.length > 1) {
        return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
          Buffer.from(escapes.replaceAll("\\", ""), "hex"),
        );
      }
    } catch {
      // The same error.
    }
    throw new FilterMistake(`an escape is two hexadecimal digits of a byte of UTF-8: ${written}`);
  });
}
