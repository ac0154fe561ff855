// The two faces of a condition: text in the filter language, and chips, one for each part that `and` joins. Chips are cut out of
// the text by the parser of the server, so that both faces always say the same.
import { parseCondition } from "../../../filter/parser.ts";
import { type Compared, dottedNames, printedText, type Syntax } from "../../../filter/syntax.ts";

export interface Chip {
  /** The part as it was written. */
  readonly text: string;
  /** Of `name operator literal`, what a person reads; null for everything else, which is shown as text. */
  readonly plain: PlainChip | null;
}

export interface PlainChip {
  readonly field: string;
  /** `contains` is `'text' in field`. */
  readonly operator: Compared | "contains";
  /** As written, without the quotes of a text; several for a list. */
  readonly values: readonly string[];
}

/** The chips of a condition; none for an empty one, null while the text is not a condition. */
export function chipsOf(condition: string): readonly Chip[] | null {
  const parsed = parsedOrNull(condition);
  if (parsed === undefined) return null;
  if (parsed === null) return [];
  const { root, source } = parsed;
  return partsOf(root, source).map((part) => ({ text: part.text, plain: plainOf(part.node) }));
}

/** The condition that asks for all parts at once. */
export function conditionOf(parts: readonly string[]): string {
  return parts.length === 1 ? parts[0]! : parts.map(asPart).join(" and ");
}

/** The condition and one part more. A text that is not a condition is given up for the part. */
export function withPart(condition: string, part: string): string {
  const chips = chipsOf(condition);
  if (chips === null) return part;
  return conditionOf([...chips.map(({ text }) => text).filter((text) => text !== part), part]);
}

export function withoutPart(condition: string, index: number): string {
  const chips = chipsOf(condition) ?? [];
  return conditionOf(chips.filter((_, at) => at !== index).map(({ text }) => text));
}

/** A text as the language writes it. */
export function literalOf(value: string): string {
  return printedText(value);
}

/** What facets say about one field: values that are asked for, and values that are left out. */
export interface Choice {
  readonly included: readonly string[];
  readonly excluded: readonly string[];
}

/** The choice that the condition makes for a field by `==`, `!=`, `in` and `not in`. */
export function choiceOf(condition: string, field: string): Choice {
  const plain = (chipsOf(condition) ?? []).flatMap((chip) => (chip.plain?.field === field ? [chip.plain] : []));
  const chosenBy = (...operators: PlainChip["operator"][]) =>
    plain.filter(({ operator }) => operators.includes(operator)).flatMap(({ values }) => values);
  return { included: chosenBy("==", "in"), excluded: chosenBy("!=", "not in") };
}

/** The condition with another choice for a field; everything else it says stays. */
export function withChoice(condition: string, field: string, { included, excluded }: Choice): string {
  const others = (chipsOf(condition) ?? []).filter(({ plain }) => plain?.field !== field || !isChoice(plain.operator));
  return conditionOf([
    ...others.map(({ text }) => text),
    ...comparisonWith(field, included, "==", "in"),
    ...comparisonWith(field, excluded, "!=", "not in"),
  ]);
}

/** Includes the value, or leaves it out, or takes such a choice back when it was made already. */
export function toggled(choice: Choice, how: keyof Choice, value: string): Choice {
  const without = (values: readonly string[]) => values.filter((each) => each !== value);
  const other = how === "included" ? "excluded" : "included";
  const chosen = choice[how].includes(value) ? without(choice[how]) : [...choice[how], value];
  return { included: [], excluded: [], [how]: chosen, [other]: without(choice[other]) };
}

function isChoice(operator: PlainChip["operator"]): boolean {
  return ["==", "!=", "in", "not in"].includes(operator);
}

function comparisonWith(field: string, values: readonly string[], one: Compared, several: Compared): string[] {
  if (values.length === 0) return [];
  const literals = values.map(literalOf);
  return [values.length === 1 ? `${field} ${one} ${literals[0]}` : `${field} ${several} [${literals.join(", ")}]`];
}

/** Undefined for text that is not a condition. */
function parsedOrNull(condition: string): ReturnType<typeof parseCondition> | undefined {
  try {
    return parseCondition(condition);
  } catch {
    return undefined;
  }
}

interface Part {
  readonly text: string;
  readonly node: Syntax;
}

/** An `and` inside brackets is a part of its own. A comment beside an `and` keeps everything together. */
function partsOf(root: Syntax, source: string): Part[] {
  const whole = [{ text: source, node: root }];
  if (root.kind !== "and") return whole;
  const { operands } = root;
  const gaps = operands.map(({ end }, at) => source.slice(end, operands[at + 1]?.start ?? source.length));
  if (gaps.some((gap) => gap.includes("#"))) return whole;
  return textsBetween(operands, source).map((text, at) => ({ text, node: operands[at]! }));
}

/** The operands with the brackets around them, which no node covers: an operand's text ends before the `and` that follows it. */
function textsBetween(operands: readonly Syntax[], source: string): string[] {
  return operands.map((operand, at) => {
    let { start, end } = operand;
    const from = at === 0 ? 0 : operands[at - 1]!.end;
    const to = operands[at + 1]?.start ?? source.length;
    const before = source.slice(from, start);
    const after = source.slice(end, to);
    const brackets = Math.min((before.match(/\(/g) ?? []).length, (after.match(/\)/g) ?? []).length);
    for (let opened = 0; opened < brackets; opened += 1) {
      start = source.lastIndexOf("(", start - 1);
      end = source.indexOf(")", end) + 1;
    }
    return source.slice(start, end);
  });
}

/** What binds looser than `and` needs brackets beside it. */
function asPart(part: string): string {
  const bindsTighter = parsedOrNull(`${part} and True`)?.root.kind === "and";
  return bindsTighter ? part : `(${part}${part.includes("#") ? "\n" : ""})`;
}

function plainOf(node: Syntax): PlainChip | null {
  if (node.kind !== "comparison" || node.rest.length !== 1) return null;
  const { first } = node;
  const [{ operator, operand }] = node.rest as [(typeof node.rest)[0]];
  const field = fieldOf(first);
  if (field === null) {
    if (first.kind !== "text" || operator !== "in") return null;
    const searched = fieldOf(operand);
    return searched === null ? null : { field: searched, operator: "contains", values: [first.value] };
  }
  const values = valuesOf(operand);
  return values === null ? null : { field, operator, values };
}

/** `span_kind`, `llm.model_name`, `metadata['tier']`, `annotations['quality'].label`. */
function fieldOf(node: Syntax): string | null {
  if (node.kind === "subscript" && (node.key.kind === "text" || node.key.kind === "number")) {
    const object = fieldOf(node.object);
    const key = node.key.kind === "text" ? literalOf(node.key.value) : node.key.text;
    return object === null ? null : `${object}[${key}]`;
  }
  if (node.kind === "member") {
    const object = fieldOf(node.object);
    return object === null ? null : `${object}.${node.name}`;
  }
  return dottedNames(node)?.join(".") ?? null;
}

function valuesOf(node: Syntax): readonly string[] | null {
  if (node.kind === "list") {
    const items = node.items.map(valuesOf);
    return items.includes(null) ? null : items.flatMap((item) => item!);
  }
  switch (node.kind) {
    case "text":
      return [node.value];
    case "number":
      return [node.text];
    case "constant":
      return [node.value === null ? "None" : node.value ? "True" : "False"];
    case "sign": {
      const values = valuesOf(node.operand);
      return values === null ? null : [`${node.operator}${values[0]}`];
    }
    default:
      return null;
  }
}
