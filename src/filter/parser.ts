// Reads the syntax of a condition: one Python expression. Knows no name and no type. Mistakes are named
// with the place of the first thing that does not fit.
import { MAX_COMPREHENSIONS, MAX_CONDITION_CHARACTERS, MAX_DEPTH, MAX_LIST_MEMBERS, MAX_TERMS } from "./limits.ts";
import { moved, refuse } from "./refusal.ts";
import type { Compared, ComparisonLink, Loop, Syntax } from "./syntax.ts";
import { type Token, tokensOf } from "./tokens.ts";

const COMPARISONS = new Set(["==", "!=", "<", "<=", ">", ">="]);
/** Loosest first; all of them bind tighter than comparisons. */
const ARITHMETIC: readonly (readonly string[])[] = [
  ["|"],
  ["^"],
  ["&"],
  ["<<", ">>"],
  ["+", "-"],
  ["*", "/", "//", "%", "@"],
];
const BITWISE_LEVELS = 4;

/** The syntax tree of a condition without the blanks around it, or null for an empty one. Throws `filter.invalid`
 *  with the place of the mistake in the text. */
export function parseCondition(text: string): { readonly source: string; readonly root: Syntax } | null {
  const nul = text.indexOf("\0");
  if (nul >= 0) throw refuse("condition cannot contain a NUL character", undefined, { start: nul, end: nul + 1 });
  if (text.length > MAX_CONDITION_CHARACTERS)
    throw refuse(
      `condition is too long: ${text.length} characters, at most ${MAX_CONDITION_CHARACTERS}`,
      MAX_CONDITION_CHARACTERS + 1,
      { start: MAX_CONDITION_CHARACTERS, end: text.length },
    );
  const source = text.trim().toWellFormed();
  if (source === "") return null;
  try {
    return { source, root: new Parser(source).condition() };
  } catch (error) {
    throw moved(error, text.length - text.trimStart().length);
  }
}

class Parser {
  private readonly tokens: readonly Token[];
  private position = 0;
  private depth = 0;
  private terms = 0;
  private comprehensions = 0;

  constructor(private readonly source: string) {
    this.tokens = tokensOf(source);
  }

  condition(): Syntax {
    const first = this.expressionOrTuple();
    while (this.token.kind === "line") this.position += 1;
    if (this.token.kind !== "end") throw this.unexpected();
    return first;
  }

  private get token(): Token {
    return this.tokens[this.position]!;
  }

  private columnOf(offset: number): number {
    const before = this.source.slice(this.source.lastIndexOf("\n", offset - 1) + 1, offset);
    return [...before].length + 1;
  }

  private refusedAt(message: string, start: number, end = start + 1): Error {
    return refuse(message, this.columnOf(start), { start, end: Math.min(end, this.source.length) });
  }

  private unexpected(): Error {
    const { token } = this;
    if (token.kind === "wrong") return this.refusedAt(token.message, token.from);
    // At the end there is nothing to point at but the end.
    const { length } = this.source;
    if (token.kind === "end") return refuse("invalid syntax", undefined, { start: length, end: length });
    return this.refusedAt("invalid syntax", token.start, token.end);
  }

  private isAt(kind: "operator" | "keyword", ...texts: readonly string[]): boolean {
    const { token } = this;
    return token.kind === kind && texts.includes((token as { text: string }).text);
  }

  private take(kind: "operator" | "keyword", text: string): boolean {
    if (!this.isAt(kind, text)) return false;
    this.position += 1;
    return true;
  }

  private expect(kind: "operator" | "keyword", text: string): Token {
    const { token } = this;
    if (!this.take(kind, text)) throw this.unexpected();
    return token;
  }

  private get endOfPrevious(): number {
    return this.tokens[this.position - 1]?.end ?? 0;
  }

  private count(start: number): void {
    this.terms += 1;
    if (this.terms > MAX_TERMS) throw this.refusedAt(`condition has too many terms: at most ${MAX_TERMS}`, start);
  }

  /** Runs one level deeper; operators, calls and subscripts are levels, brackets that only group are not. */
  private deeper<Result>(start: number, parse: () => Result): Result {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw this.refusedAt("condition is nested too deeply", start);
    const result = parse();
    this.depth -= 1;
    return result;
  }

  private other(start: number): Syntax {
    return { kind: "other", start, end: this.endOfPrevious };
  }

  /** A tuple without parentheses is Python, and no condition. */
  private expressionOrTuple(): Syntax {
    const { start } = this.token;
    const first = this.expression();
    if (!this.isAt("operator", ",")) return first;
    while (this.take("operator", ",")) if (this.startsExpression()) this.expression();
    return this.other(start);
  }

  private startsExpression(): boolean {
    const { token } = this;
    if (token.kind === "keyword") return /^(?:None|True|False|not|lambda|await|yield)$/.test(token.text);
    if (token.kind === "operator") return /^(?:[-+~([{]|\.\.\.)$/.test(token.text);
    return token.kind !== "end" && token.kind !== "line";
  }

  private expression(): Syntax {
    const { start } = this.token;
    if (this.isAt("keyword", "lambda")) return this.lambda();
    const value = this.disjunction();
    if (this.isAt("keyword", "if") && !this.inComprehension) {
      this.position += 1;
      this.disjunction();
      this.expect("keyword", "else");
      this.deeper(start, () => this.expression());
      return this.other(start);
    }
    if (value.kind === "name" && this.isAt("operator", ":=") && this.brackets > 0) {
      this.position += 1;
      this.expression();
      return this.other(start);
    }
    return value;
  }

  private brackets = 0;
  /** Behind `in` and `if` of a comprehension, where `if` begins its next part. */
  private inComprehension = false;

  private lambda(): Syntax {
    const { start } = this.token;
    this.position += 1;
    while (this.token.kind === "name" || this.isAt("operator", ",", "*", "**")) this.position += 1;
    this.expect("operator", ":");
    this.deeper(start, () => this.expression());
    return this.other(start);
  }

  private disjunction(): Syntax {
    return this.operands("or", () => this.operands("and", () => this.negation()));
  }

  private operands(operator: "and" | "or", parse: () => Syntax): Syntax {
    const { start } = this.token;
    const first = parse();
    if (!this.isAt("keyword", operator)) return first;
    const operands = [first];
    while (this.take("keyword", operator)) operands.push(this.deeper(start, parse));
    return { kind: operator, operands, start, end: this.endOfPrevious };
  }

  private negation(): Syntax {
    const { start } = this.token;
    if (!this.take("keyword", "not")) return this.comparison();
    this.count(start);
    const operand = this.deeper(start, () => this.negation());
    return { kind: "not", operand, start, end: this.endOfPrevious };
  }

  private comparison(): Syntax {
    const { start } = this.token;
    const first = this.arithmetic(0);
    const rest: ComparisonLink[] = [];
    for (let operator = this.comparisonOperator(); operator !== null; operator = this.comparisonOperator()) {
      this.count(start);
      rest.push({ operator, operand: this.deeper(start, () => this.arithmetic(0)) });
    }
    return rest.length === 0 ? first : { kind: "comparison", first, rest, start, end: this.endOfPrevious };
  }

  private comparisonOperator(): Compared | null {
    const { token } = this;
    if (token.kind === "operator" && COMPARISONS.has(token.text)) {
      this.position += 1;
      return token.text as Compared;
    }
    if (this.take("keyword", "is")) return this.take("keyword", "not") ? "is not" : "is";
    if (this.take("keyword", "in")) return "in";
    if (this.isAt("keyword", "not")) {
      this.position += 1;
      this.expect("keyword", "in");
      return "not in";
    }
    return null;
  }

  private arithmetic(level: number): Syntax {
    const operators = ARITHMETIC[level];
    if (operators === undefined) return this.sign();
    const { start } = this.token;
    let left = this.arithmetic(level + 1);
    let links = 0;
    for (;;) {
      const { token } = this;
      if (token.kind !== "operator" || !operators.includes(token.text)) return left;
      this.position += 1;
      this.count(start);
      links += 1;
      // The tree grows to the left: each link is a level more.
      if (level >= BITWISE_LEVELS && this.depth + links > MAX_DEPTH)
        throw this.refusedAt("condition is nested too deeply", token.start);
      const right = this.deeper(start, () => this.arithmetic(level + 1));
      left = { kind: "arithmetic", operator: token.text, left, right, start, end: this.endOfPrevious };
    }
  }

  private sign(): Syntax {
    const { token } = this;
    if (!this.isAt("operator", "+", "-", "~")) return this.power();
    this.position += 1;
    this.count(token.start);
    const operand = this.deeper(token.start, () => this.sign());
    const { text } = token as { text: string };
    return { kind: "sign", operator: text, operand, start: token.start, end: this.endOfPrevious };
  }

  private power(): Syntax {
    const { start } = this.token;
    const isAwait = this.take("keyword", "await");
    const left = this.primary();
    if (isAwait) return this.other(start);
    if (!this.take("operator", "**")) return left;
    const right = this.deeper(start, () => this.sign());
    return { kind: "arithmetic", operator: "**", left, right, start, end: this.endOfPrevious };
  }

  private primary(): Syntax {
    const { start } = this.token;
    let node = this.atom();
    for (let links = 0; ; links += 1) {
      if (this.depth + links > MAX_DEPTH) throw this.refusedAt("condition is nested too deeply", this.token.start);
      if (this.take("operator", ".")) {
        const { token } = this;
        if (token.kind !== "name") throw this.unexpected();
        this.position += 1;
        node = { kind: "member", object: node, name: token.text, start, end: token.end };
      } else if (this.isAt("operator", "[")) {
        const key = this.bracketed(() => this.subscript());
        this.expect("operator", "]");
        node = { kind: "subscript", object: node, key, start, end: this.endOfPrevious };
      } else if (this.isAt("operator", "(")) {
        const { parameters, plain } = this.bracketed(() => this.parameters());
        this.expect("operator", ")");
        node = { kind: "call", callee: node, parameters, plain, start, end: this.endOfPrevious };
      } else return node;
    }
  }

  /** Behind an opening bracket, which it takes. */
  private bracketed<Result>(parse: () => Result): Result {
    const { start } = this.token;
    const outer = this.inComprehension;
    this.position += 1;
    this.brackets += 1;
    this.inComprehension = false;
    const result = this.deeper(start, parse);
    this.brackets -= 1;
    this.inComprehension = outer;
    return result;
  }

  private subscript(): Syntax {
    const { start } = this.token;
    let isSlice = false;
    const part = () => (this.isAt("operator", ":", "]") ? null : this.expressionOrTuple());
    const first = part();
    while (this.take("operator", ":")) {
      isSlice = true;
      part();
    }
    if (first !== null && !isSlice) return first;
    if (!isSlice) throw this.unexpected();
    return this.other(start);
  }

  private parameters(): { parameters: Syntax[]; plain: boolean } {
    const parameters: Syntax[] = [];
    let plain = true;
    while (!this.isAt("operator", ")")) {
      if (this.take("operator", "*") || this.take("operator", "**")) plain = false;
      const { start } = this.token;
      const value = this.expression();
      if (value.kind === "name" && this.take("operator", "=")) {
        this.expression();
        plain = false;
      } else if (this.startsLoop()) parameters.push(this.comprehension(value, false, start));
      else parameters.push(value);
      if (!this.take("operator", ",")) break;
    }
    return { parameters, plain };
  }

  private startsLoop(): boolean {
    return this.isAt("keyword", "for") || this.isAt("keyword", "async");
  }

  private comprehension(element: Syntax, list: boolean, start: number): Syntax {
    this.comprehensions += 1;
    if (this.comprehensions > MAX_COMPREHENSIONS)
      throw this.refusedAt(`condition has too many comprehensions: at most ${MAX_COMPREHENSIONS}`, start);
    const outer = this.inComprehension;
    this.inComprehension = true;
    const loops: Loop[] = [];
    while (this.startsLoop()) {
      const asynchronous = this.take("keyword", "async");
      this.expect("keyword", "for");
      const variable = this.target();
      this.expect("keyword", "in");
      const iterable = this.disjunction();
      const conditions: Syntax[] = [];
      while (this.take("keyword", "if")) conditions.push(this.disjunction());
      loops.push({ variable, iterable, conditions, asynchronous });
    }
    this.inComprehension = outer;
    return { kind: "comprehension", list, element, loops, start, end: this.endOfPrevious };
  }

  /** The loop variable; several are Python, and refused later. */
  private target(): Syntax {
    const { start } = this.token;
    const first = this.primary();
    if (!this.isAt("operator", ",")) return first;
    while (this.take("operator", ",")) if (!this.isAt("keyword", "in")) this.primary();
    return this.other(start);
  }

  private atom(): Syntax {
    const { token } = this;
    const { start, end } = token;
    this.count(start);
    switch (token.kind) {
      case "name":
        this.position += 1;
        return { kind: "name", name: token.text, start, end };
      case "number":
        this.position += 1;
        return { kind: "number", text: token.text, start, end };
      case "text":
        return this.texts();
      case "foreign":
        this.position += 1;
        return { kind: token.literal === "unsupported" ? "unsupported literal" : "other", start, end };
      case "keyword":
        if (!/^(?:True|False|None)$/.test(token.text)) throw this.unexpected();
        this.position += 1;
        return { kind: "constant", value: token.text === "None" ? null : token.text === "True", start, end };
      case "operator":
        return this.bracketAtom(token.text, start);
      default:
        throw this.unexpected();
    }
  }

  private texts(): Syntax {
    const { start } = this.token;
    const values: string[] = [];
    for (let { token } = this; token.kind === "text"; { token } = this) {
      values.push(token.value);
      this.position += 1;
    }
    const value = values.join("");
    if (value.includes("\0"))
      throw refuse("condition cannot contain a NUL character", undefined, { start, end: this.endOfPrevious });
    return { kind: "text", value, start, end: this.endOfPrevious };
  }

  private bracketAtom(operator: string, start: number): Syntax {
    if (operator === "...") {
      this.position += 1;
      return { kind: "unsupported literal", start, end: this.endOfPrevious };
    }
    if (operator === "(") return this.parenthesised(start);
    if (operator === "[") return this.listAtom(start);
    if (operator === "{") return this.braces(start);
    throw this.unexpected();
  }

  private parenthesised(start: number): Syntax {
    this.position += 1;
    this.brackets += 1;
    const outer = this.inComprehension;
    this.inComprehension = false;
    const node = this.groupOrTuple(start);
    this.inComprehension = outer;
    this.brackets -= 1;
    return node;
  }

  private groupOrTuple(start: number): Syntax {
    if (this.take("operator", ")")) return { kind: "list", items: [], start, end: this.endOfPrevious };
    const first = this.expression();
    if (this.startsLoop()) {
      const generator = this.comprehension(first, false, start);
      this.expect("operator", ")");
      return generator;
    }
    if (this.take("operator", ")")) return first;
    if (!this.isAt("operator", ",")) throw this.unexpected();
    const items = [first];
    while (this.take("operator", ",")) if (!this.isAt("operator", ")")) items.push(this.member(items));
    this.expect("operator", ")");
    return { kind: "list", items, start, end: this.endOfPrevious };
  }

  private member(items: readonly Syntax[]): Syntax {
    const { start } = this.token;
    if (items.length >= MAX_LIST_MEMBERS)
      throw this.refusedAt(`list has too many members: at most ${MAX_LIST_MEMBERS}`, start);
    const { terms } = this;
    const item = this.expression();
    // Literals travel as one parameter: only what is more than a literal counts.
    if (item.kind === "text" || item.kind === "number") this.terms = terms;
    return item;
  }

  private listAtom(start: number): Syntax {
    const content = this.bracketed((): { items: Syntax[]; comprehension: Syntax | null } => {
      const items: Syntax[] = [];
      while (!this.isAt("operator", "]")) {
        items.push(this.member(items));
        if (items.length === 1 && this.startsLoop())
          return { items, comprehension: this.comprehension(items[0]!, true, start) };
        if (!this.take("operator", ",")) break;
      }
      return { items, comprehension: null };
    });
    this.expect("operator", "]");
    const end = this.endOfPrevious;
    return content.comprehension === null
      ? { kind: "list", items: content.items, start, end }
      : { ...content.comprehension, start, end };
  }

  /** Sets and mappings are read to their end, so that they can be shown. */
  private braces(start: number): Syntax {
    this.bracketed(() => {
      while (!this.isAt("operator", "}")) {
        const value = this.expression();
        if (this.take("operator", ":")) this.expression();
        else if (this.startsLoop()) this.comprehension(value, true, start);
        if (!this.take("operator", ",")) break;
      }
    });
    this.expect("operator", "}");
    return this.other(start);
  }
}
