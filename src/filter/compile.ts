// From the typed tree to SQL, once for both databases: what they say differently is `SqlDifferences`.
import { sql } from "kysely";
import { MAX_KEY_BYTES } from "../model/span.ts";
import { annotationAliases, isDisputed, separateOperands, someAnnotations } from "./annotation-sql.ts";
import { wirePaths } from "./attribute-path.ts";
import type { Field } from "./field.ts";
import {
  aggregate,
  amongNumbers,
  arithmetic,
  compareNumbers,
  decimalText,
  isMissing,
  type LiteralNumber,
  type NumberSql,
  negative,
  operatorSql,
} from "./number-sql.ts";
import {
  columnOf,
  elementsOf,
  fieldCode,
  fromParent,
  hasNoParent,
  numberAt,
  rootSpan,
  rowsOfErrorGroups,
  textAt,
} from "./place-sql.ts";
import { notCompiled } from "./refusal.ts";
import { fromDocument } from "./run-documents.ts";
import type { AttributeSource, Sql, SqlDifferences } from "./sql-differences.ts";
import type {
  AnnotationKey,
  AnnotationOwner,
  AttributePath,
  Comparator,
  Condition,
  Iteration,
  Literal,
  Scope,
  Value,
} from "./tree.ts";
import { annotationKey, annotationsIn } from "./tree-walk.ts";

/** The row that is filtered. */
interface FilteredRow {
  readonly grain: "span" | "trace" | "session" | "run";
  /** Its table in the query of the caller. */
  readonly alias: string;
  /** `span_payloads` where the query of the caller joins it; null has it looked up for each attribute. */
  readonly payloads: string | null;
}

/** Reads as nothing but itself as a JSON number, boolean, list or object: compared without a look at the type. */
const ORDINARY_WORD = /^(?![-+.\d[{]|true$|false$|null$)/;

export function compileCondition(condition: Condition, row: FilteredRow, to: SqlDifferences): Sql<boolean> {
  return new Compiler(row, to).selection(condition);
}

/** A condition that reads nothing but annotations, which have these names. */
export function compileAnnotations(
  condition: Condition,
  aliases: ReadonlyMap<string, string>,
  to: SqlDifferences,
): Sql<boolean> {
  return new Compiler({ grain: "span", alias: "", payloads: null }, to, aliases).condition(condition, true);
}

class Compiler {
  constructor(
    private readonly row: FilteredRow,
    private readonly to: SqlDifferences,
    /** The annotations of the part that is compiled, by `annotationKey`. */
    private readonly annotations: ReadonlyMap<string, string> = new Map(),
  ) {}

  /** The whole condition. Parts of it that have no annotation in common choose their rows apart, so that rows of many names are not
   *  all combined. */
  selection(condition: Condition): Sql<boolean> {
    const keys = annotationsIn(condition);
    if (keys.length === 0) return this.condition(condition, true);
    if (condition.kind === "or") {
      return this.balanced(
        condition.operands.map((operand) => this.selection(operand)),
        "or",
      );
    }
    if (condition.kind === "and") {
      const groups = separateOperands(condition.operands);
      if (groups.length > 1) {
        return this.balanced(
          groups.map((operands) => this.selection(operands.length === 1 ? operands[0]! : { kind: "and", operands })),
          "and",
        );
      }
    }
    return someAnnotations(this.to, {
      keys,
      rowOf: (owner) => this.annotatedRow(owner),
      holds: new Compiler(this.row, this.to, annotationAliases(keys)).condition(condition, true),
    });
  }

  private annotatedRow(owner: AnnotationOwner): Sql {
    const { grain, alias } = this.row;
    if (owner === "root") return rootSpan("trace", alias, "representative");
    return columnOf(alias, grain === "span" && owner === "trace" ? "trace_id" : "id");
  }

  private annotationColumn(key: AnnotationKey, column: string): Sql {
    return columnOf(this.annotations.get(annotationKey(key))!, column);
  }

  /** `selecting`: whether false and missing mean the same to the caller, as they do for the whole condition. */
  condition(condition: Condition, selecting = false): Sql<boolean> {
    switch (condition.kind) {
      case "constant":
        return sql<boolean>`${sql.raw(condition.value ? "true" : "false")}`;
      case "and":
      case "or":
        return this.balanced(
          condition.operands.map((operand) => this.condition(operand, selecting)),
          condition.kind,
        );
      case "not":
        return sql<boolean>`(not ${this.condition(condition.operand)})`;
      case "comparison":
        return this.keyed(condition, selecting, this.comparison(condition));
      case "missing":
        return this.missing(condition.value);
      case "among":
        return this.keyed(condition, selecting, this.among(condition));
      case "contains":
        return this.contains(condition.haystack, condition.needle);
      case "any root contains":
        return this.anyRootContains(condition);
      case "no parent":
        return hasNoParent(this.aliasOf(condition.scope));
      case "holds":
        return this.boolean(condition.value);
      case "annotated":
        return sql<boolean>`(${this.annotationColumn(condition, "id")} is not null)`;
      case "disputed":
        return isDisputed(condition.owner, this.annotations.get(annotationKey(condition))!);
      case "any":
        return sql<boolean>`(exists (select 1 from ${this.elements(condition)} and ${this.condition(condition.predicate)}))`;
      case "all":
        // An element whose condition is missing is a counterexample.
        return sql<boolean>`(not exists (select 1 from ${this.elements(condition)}
          and (${this.condition(condition.predicate)}) is not true))`;
    }
  }

  /** Pairs of pairs: a thousand operands in a row would be nested a thousand times in the databases. */
  private balanced(operands: readonly Sql<boolean>[], operator: "and" | "or"): Sql<boolean> {
    if (operands.length === 1) return operands[0]!;
    const half = Math.ceil(operands.length / 2);
    const [left, right] = [operands.slice(0, half), operands.slice(half)];
    return sql<boolean>`(${this.balanced(left, operator)} ${sql.raw(operator)} ${this.balanced(right, operator)})`;
  }

  private aliasOf(scope: Scope): string {
    if (scope.parentOf !== undefined) return `filter_parent_${scope.id}`;
    return scope.id === 0 ? this.row.alias : `filter_${scope.id}`;
  }

  /** A value of the row of the scope, which may be the parent of another. */
  private inScope(scope: Scope, value: (alias: string) => Sql): Sql {
    const alias = this.aliasOf(scope);
    return scope.parentOf === undefined ? value(alias) : fromParent(value(alias), alias, this.aliasOf(scope.parentOf));
  }

  // Comparisons

  /** Users and models are columns too, trimmed: a difference there needs no look into the payload. */
  private keyed(
    condition: Extract<Condition, { kind: "comparison" | "among" }>,
    selecting: boolean,
    exactly: Sql<boolean>,
  ) {
    const required = selecting && this.row.grain === "span" ? requiredKeys(condition) : null;
    if (required === null) return exactly;
    return sql<boolean>`(${this.to.amongTexts(columnOf(this.row.alias, required.column), required.keys)} and ${exactly})`;
  }

  private comparison({ comparator, type, left, right }: Extract<Condition, { kind: "comparison" }>): Sql<boolean> {
    if (type === "number" || type === "timestamp") {
      const [from, to] = [this.number(left), this.number(right)];
      if (from.form !== "literal" || to.form !== "literal") return compareNumbers(this.to, from, comparator, to);
      return sql<boolean>`(${this.to.decimal(decimalText(from))} ${operatorSql(comparator)} ${this.to.decimal(decimalText(to))})`;
    }
    if (type === "boolean")
      return sql<boolean>`(${this.boolean(left)} ${operatorSql(comparator)} ${this.boolean(right)})`;
    return this.textComparison(comparator, left, right);
  }

  private textComparison(comparator: Comparator, left: Value, right: Value): Sql<boolean> {
    const isEquality = comparator === "==" || comparator === "!=";
    if (isEquality) {
      const byCode = this.codeComparison(comparator, left, right) ?? this.codeComparison(comparator, right, left);
      if (byCode !== null) return byCode;
      const byTrace = this.traceComparison(comparator, left, right) ?? this.traceComparison(comparator, right, left);
      if (byTrace !== null) return byTrace;
      const byGroup = this.groupComparison(comparator, left, right) ?? this.groupComparison(comparator, right, left);
      if (byGroup !== null) return byGroup;
    }
    const plainly = isEquality && (isOrdinary(left) || isOrdinary(right));
    const [from, to] = [this.text(left, plainly), this.text(right, plainly)];
    if (isEquality) return sql<boolean>`(${from} ${operatorSql(comparator)} ${to})`;
    return sql<boolean>`(${this.to.ordered(from)} ${operatorSql(comparator)} ${to})`;
  }

  /** Kinds and statuses are compared as the codes that indexes hold. */
  private codeComparison(comparator: "==" | "!=", value: Value, literal: Value): Sql<boolean> | null {
    if (value.kind !== "field" || value.field.place.in !== "codes") return null;
    if (literal.kind !== "literal" || literal.type !== "text") return null;
    const code = this.code(value.scope, value.field);
    return sql<boolean>`(${code} ${operatorSql(comparator)} ${sql.lit(fieldCode(value.field, literal.value))})`;
  }

  /** The id of a trace is looked up once, not for every span. */
  private traceComparison(comparator: "==" | "!=", value: Value, literal: Value): Sql<boolean> | null {
    if (value.kind !== "field" || value.field.place.in !== "trace key" || !isTextLiteral(literal)) return null;
    const among = this.amongTraces(value.scope, [literal.value]);
    return comparator === "==" ? among : sql<boolean>`(not ${among})`;
  }

  private amongTraces(scope: Scope, keys: readonly string[]): Sql<boolean> {
    return sql<boolean>`(${columnOf(this.aliasOf(scope), "trace_id")} in (select filter_trace.id from traces as filter_trace
      where ${this.to.amongTexts(sql.ref("filter_trace.trace_key"), keys)}))`;
  }

  /** Different is what has failures, none of which is in the group. */
  private groupComparison(comparator: "==" | "!=", value: Value, literal: Value): Sql<boolean> | null {
    if (value.kind !== "field" || value.field.place.in !== "error groups" || !isTextLiteral(literal)) return null;
    const among = this.amongErrorGroups(value, [literal.value]);
    return comparator === "==" ? among : sql<boolean>`(not ${among} and ${this.text(value)} is not null)`;
  }

  /** Any failure of the row is in one of the groups; never missing. */
  private amongErrorGroups(value: Extract<Value, { kind: "field" }>, keys: readonly string[]): Sql<boolean> {
    const { place } = value.field;
    const of = place.in === "error groups" ? place.of : "span";
    const among = (alias: string) =>
      sql<boolean>`(${columnOf(alias, "id")} in (${rowsOfErrorGroups(this.to, of, keys)}))`;
    return this.inScope(value.scope, among) as Sql<boolean>;
  }

  private code(scope: Scope, { place }: Field): Sql {
    const column = place.in === "codes" ? place.column : "";
    return this.inScope(scope, (alias) => columnOf(alias, column));
  }

  private missing(value: Value): Sql<boolean> {
    switch (value.kind) {
      case "attribute":
        if (value.reading === "text") return sql<boolean>`(not ${this.attributePresent(value)})`;
        break;
      case "literal":
        return sql<boolean>`${sql.raw(value.type === "null" ? "true" : "false")}`;
      case "condition":
        return sql<boolean>`((${this.condition(value.condition)}) is null)`;
      case "joined":
        return sql<boolean>`(${this.text(value)} is null)`;
      case "annotation":
        return sql<boolean>`(${this.annotationColumn(value, value.member)} is null)`;
      case "field":
        if (value.field.type === "text") return sql<boolean>`(${this.text(value)} is null)`;
        if (value.field.type === "boolean") return sql<boolean>`(${this.boolean(value)} is null)`;
        break;
      default:
    }
    return isMissing(this.to, this.number(value));
  }

  private among({ type, value, members }: Extract<Condition, { kind: "among" }>): Sql<boolean> {
    if (members.length === 0) return sql<boolean>`false`;
    // Members that are no literals are compared one by one beside the set of the others.
    const literals = members.filter((member) => member.kind === "literal");
    const among = this.amongLiterals(type, value, literals);
    const others = among === null ? members : members.filter((member) => member.kind !== "literal");
    const equalities = others.map((member) =>
      this.comparison({ kind: "comparison", comparator: "==", type, left: value, right: member }),
    );
    return this.balanced(among === null ? equalities : [among, ...equalities], "or");
  }

  /** One set for all of them; null where there is none, or none of that type. */
  private amongLiterals(type: string, value: Value, literals: readonly Literal[]): Sql<boolean> | null {
    if (literals.length === 0) return null;
    if (type === "text" && literals.every(isTextLiteral)) return this.amongTexts(value, literals);
    if (type === "boolean") {
      const distinct = [true, false].filter((each) =>
        literals.some((literal) => literal.type === type && literal.value === each),
      );
      const equalities = distinct.map((each) => sql<boolean>`(${this.boolean(value)} = ${sql.raw(String(each))})`);
      return this.balanced(equalities, "or");
    }
    if (type === "number" || type === "timestamp") {
      const numbers = literals.map((literal) => this.number(literal));
      return amongNumbers(this.to, this.number(value), numbers as LiteralNumber[]);
    }
    return null;
  }

  private amongTexts(value: Value, members: readonly Extract<Literal, { type: "text" }>[]): Sql<boolean> {
    const texts = members.map((member) => member.value);
    if (value.kind === "field" && value.field.place.in === "codes") {
      const codes = new Set(texts.map((text) => fieldCode(value.field, text)));
      return sql<boolean>`(${this.code(value.scope, value.field)} in (${sql.join([...codes].map((code) => sql.lit(code)))}))`;
    }
    if (value.kind === "field" && value.field.place.in === "trace key") return this.amongTraces(value.scope, texts);
    if (value.kind === "field" && value.field.place.in === "error groups") return this.amongErrorGroups(value, texts);
    const plainly = texts.every((text) => ORDINARY_WORD.test(text));
    return sql<boolean>`(${this.to.amongTexts(this.text(value, plainly), texts)})`;
  }

  private contains(haystack: Value, needle: Value): Sql<boolean> {
    if (isTextLiteral(needle)) return sql<boolean>`(${this.to.containsLiteral(this.text(haystack), needle.value)})`;
    return sql<boolean>`(${this.to.contains(this.text(haystack), this.text(needle))})`;
  }

  private anyRootContains({ scope, value, needle }: Extract<Condition, { kind: "any root contains" }>): Sql<boolean> {
    const text = this.attributeTextIn("filter_payload", wirePaths([value, "value"]), false);
    return sql<boolean>`(exists (select 1 from traces as filter_trace
      join spans as filter_root on filter_root.trace_id = filter_trace.id
      join span_payloads as filter_payload on filter_payload.span_id = filter_root.id
      where filter_trace.session_id = ${columnOf(this.aliasOf(scope), "id")} and filter_root.parent_key is null
        and ${this.to.containsLiteral(text, needle)}))`;
  }

  /** Everything after `from`; a further condition may be appended. */
  private elements({ collection, of, inner, where }: Iteration): Sql {
    const conditions = where.map((condition) => sql` and ${this.condition(condition)}`);
    const elements = elementsOf(collection, of.grain, this.aliasOf(of), this.aliasOf(inner));
    return sql`${elements}${sql.join(conditions, sql``)}`;
  }

  // Values

  private boolean(value: Value): Sql<boolean> {
    if (value.kind === "condition") return this.condition(value.condition);
    if (value.kind === "literal" && value.type === "boolean")
      return sql<boolean>`${sql.raw(value.value ? "true" : "false")}`;
    if (value.kind === "attribute") return this.readAttributes(value, (source) => this.to.attributeBoolean(source));
    if (value.kind !== "field" || value.field.place.in !== "column") throw notCompiled(`A ${value.kind} is no boolean`);
    const { column } = value.field.place;
    return sql<boolean>`(${this.inScope(value.scope, (alias) => columnOf(alias, column))} = 1)`;
  }

  private text(value: Value, plainly = false): Sql {
    switch (value.kind) {
      case "literal":
        return value.type === "text" ? this.to.text(value.value) : sql`null`;
      case "attribute":
        return this.attributeText(value, plainly);
      case "joined":
        return sql`(${this.text(value.left)} || ${this.text(value.right)})`;
      case "annotation":
        return this.annotationColumn(value, value.member);
      case "field":
        return this.textField(value.scope, value.field);
      default:
        throw notCompiled(`A ${value.kind} is no text`);
    }
  }

  private textField(scope: Scope, { place }: Field): Sql {
    if (place.in !== "root text") return this.inScope(scope, (alias) => textAt(place, alias));
    const { grain } = this.row;
    const root = rootSpan(grain === "session" ? "session" : "trace", this.aliasOf(scope), place.root);
    return this.fromPayload(root, (payload) => this.attributeTextIn(payload, wirePaths([place.value, "value"]), false));
  }

  private number(value: Value): NumberSql {
    switch (value.kind) {
      case "literal":
        if (value.type === "number") return { form: "literal", value: value.value, exact: value.exact };
        if (value.type === "timestamp") return { form: "literal", value: 0, exact: value.exact };
        break;
      case "attribute":
        return { form: "decimal", value: this.readAttributes(value, (source) => this.to.attributeNumber(source)) };
      case "arithmetic":
        return arithmetic(this.to, value.operator, this.number(value.left), this.number(value.right));
      case "negative":
        return negative(this.to, this.number(value.operand));
      case "count":
        return { form: "exact", units: sql`(select count(*) from ${this.elements(value)})`, scale: 0, stored: true };
      case "reduction": {
        const reduced = aggregate(this.to, value.reduction, this.number(value.element));
        const of = (column: Sql) => sql`(select ${column} from ${this.elements(value)})`;
        if (reduced.form === "exact") return { ...reduced, units: of(reduced.units) };
        if (reduced.form === "double") return { ...reduced, value: of(reduced.value) };
        break;
      }
      case "annotation":
        return { form: "double", value: this.annotationColumn(value, value.member) };
      case "field":
        return this.numberField(value.scope, value.field);
      default:
    }
    throw notCompiled(`A ${value.kind} is no number`);
  }

  private numberField(scope: Scope, { place }: Field): NumberSql {
    if (place.in === "attribute") {
      const attribute = { scope, paths: [place.path] };
      return { form: "decimal", value: this.readAttributes(attribute, (source) => this.to.attributeNumber(source)) };
    }
    const grain = this.row.grain === "session" ? "session" : "trace";
    const number = numberAt(this.to, place, this.aliasOf(scope), grain);
    if (scope.parentOf === undefined || number.form !== "exact") return number;
    return { ...number, units: fromParent(number.units, this.aliasOf(scope), this.aliasOf(scope.parentOf)) };
  }

  // Attributes: of the span itself, or of the root span that represents a trace or session

  private readAttributes<Read>(
    { scope, paths }: { readonly scope: Scope; readonly paths: readonly AttributePath[] },
    read: (source: AttributeSource, payload: string) => Sql<Read>,
  ): Sql<Read> {
    const { grain, alias, payloads } = this.row;
    if (grain === "run") return fromDocument(this.to, alias, paths, (source) => read(source, alias));
    const from = (payload: string) => read({ attributes: columnOf(payload, "attributes"), paths }, payload);
    if (grain === "span" && payloads !== null) return from(payloads);
    const span = grain === "span" ? columnOf(alias, "id") : rootSpan(grain, this.aliasOf(scope), "representative");
    return this.fromPayload(span, from);
  }

  private fromPayload<Read>(span: Sql, value: (payload: string) => Sql<Read>): Sql<Read> {
    return sql<Read>`(select ${value("filter_payload")} from span_payloads as filter_payload where filter_payload.span_id = ${span})`;
  }

  private attributeText(value: Extract<Value, { kind: "attribute" }>, plainly: boolean): Sql {
    if (this.row.grain === "run") return this.readAttributes(value, (source) => this.to.attributeText(source, plainly));
    return this.readAttributes(value, ({ paths }, payload) => this.attributeTextIn(payload, paths, plainly));
  }

  /** The whole text, also where the attribute keeps only its beginning. */
  private attributeTextIn(payload: string, paths: readonly AttributePath[], plainly: boolean): Sql {
    const text = this.to.attributeText({ attributes: columnOf(payload, "attributes"), paths }, plainly);
    const pieces = this.to.joinedPieces(sql.ref("filter_piece.bytes"), sql.ref("filter_piece.seq"));
    const stored = paths.map((path) => this.to.text(JSON.stringify(path)));
    return sql`(case when ${columnOf(payload, "has_large")} = 0 then ${text} else coalesce((select ${pieces}
      from large_values as filter_piece where filter_piece.span_id = ${columnOf(payload, "span_id")}
        and filter_piece.path in (${sql.join(stored)})), ${text}) end)`;
  }

  private attributePresent(value: Extract<Value, { kind: "attribute" }>): Sql<boolean> {
    const present = this.readAttributes(value, (source) => this.to.attributePresent(source));
    // A trace without a root has no attributes.
    return sql<boolean>`(coalesce(${present}, false))`;
  }
}

function isTextLiteral(value: Value): value is Extract<Literal, { type: "text" }> {
  return value.kind === "literal" && value.type === "text";
}

function isOrdinary(value: Value): boolean {
  return isTextLiteral(value) && ORDINARY_WORD.test(value.value);
}

/** Attributes whose text is also a column, under its key. */
const keyColumns: Readonly<Record<string, string>> = { '["user","id"]': "user_key", '["llm","model_name"]': "model" };
/** Numbers other than short integers, booleans, lists and objects are written differently as a key. */
const PLAIN_KEY = /^(?:\d{1,15}$|(?![-+]?[\d.]+(?:e[-+]?\d+)?$|[[{]|(?:true|false|none|null)$))/i;

/** The column and keys of a condition that wants such an attribute to be one of some texts. */
function requiredKeys(condition: Extract<Condition, { kind: "comparison" | "among" }>) {
  const [value, others] =
    condition.kind === "among" ? [condition.value, condition.members] : [condition.left, [condition.right]];
  if (condition.type !== "text" || (condition.kind === "comparison" && condition.comparator !== "==")) return null;
  if (value.kind !== "attribute" || others.length === 0 || !others.every(isTextLiteral)) return null;
  const column = keyColumns[JSON.stringify(value.paths[0])];
  const keys = others.map((literal) => literal.value);
  const isPlain = (key: string) =>
    PLAIN_KEY.test(key) && key !== "" && key === key.trim() && Buffer.byteLength(key) <= MAX_KEY_BYTES;
  return column !== undefined && keys.every(isPlain) ? { column, keys } : null;
}
