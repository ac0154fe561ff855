// Runs the typed tree of a condition over plain objects, without any database: what the generated SQL is held against. Slow and
// simple on purpose; true, false or null throughout.
import type { AnnotationOwner, Condition, Iteration, Scope, Value } from "../../src/filter/tree.ts";
import { annotationsIn } from "../../src/filter/tree-walk.ts";
import { containsFolded, foldCase } from "../../src/kernel/fold-case.ts";
import type { Json } from "../../src/kernel/json.ts";
import type { AnnotationRow, CostDetail } from "./filter-data.ts";
import { addNumbers, compareNumbers, divided, type Numeric, negate, reduced } from "./filter-numbers.ts";
import {
  type EvaluatedData,
  numberField,
  parentOf,
  type Row,
  readBoolean,
  readNumber,
  readText,
  representative,
  rootsOf,
  type SessionRow,
  type SpanRow,
  type TraceRow,
  textField,
  valueAt,
  wireText,
} from "./filter-rows.ts";

type Truth = boolean | null;

/** The rows that match: some combination of one annotation of each name that the condition reads makes it true. */
export function matching<Kind extends SpanRow | TraceRow | SessionRow>(
  condition: Condition | null,
  rows: readonly Kind[],
  data: EvaluatedData,
): Kind[] {
  if (condition === null) return [...rows];
  const names = annotationsIn(condition);
  return rows.filter((row) => {
    let bindings: Map<string, AnnotationRow | null>[] = [new Map()];
    for (const { owner, name } of names) {
      const found = data.annotations.filter(
        (each) => each.owner === storedOwner(owner) && each.name === name && each.key === keyOf(row, owner),
      );
      const candidates = found.length === 0 ? [null] : found;
      bindings = bindings.flatMap((bound) =>
        candidates.map((candidate) => new Map(bound).set(`${owner} ${name}`, candidate)),
      );
    }
    return bindings.some((bound) => new Evaluation(data, row, bound).truth(condition) === true);
  });
}

/** Annotations of a root are those of its span. */
function storedOwner(owner: AnnotationOwner): AnnotationOwner {
  return owner === "root" ? "span" : owner;
}

function keyOf(row: Row, owner: AnnotationOwner): string | null {
  if (row.grain === "trace" && owner === "root") return representative(row)?.span.spanKey ?? null;
  if (row.grain === "span") return owner === "span" ? row.span.spanKey : row.trace.key;
  return row.grain === "trace" || row.grain === "session" ? row.key : null;
}

class Evaluation {
  private readonly rows = new Map<number, Row>();

  constructor(
    private readonly data: EvaluatedData,
    private readonly row: Row,
    private readonly bound: ReadonlyMap<string, AnnotationRow | null>,
  ) {
    this.rows.set(0, row);
  }

  truth(condition: Condition): Truth {
    switch (condition.kind) {
      case "constant":
        return condition.value;
      case "and":
        return this.all(condition.operands.map((operand) => this.truth(operand)));
      case "or":
        return not(this.all(condition.operands.map((operand) => not(this.truth(operand)))));
      case "not":
        return not(this.truth(condition.operand));
      case "comparison":
        return this.compared(condition);
      case "missing":
        return this.isMissing(condition.value);
      case "among":
        return this.among(condition);
      case "contains":
        return contains(this.text(condition.haystack), this.text(condition.needle));
      case "any root contains":
        return rootsOf(this.row as SessionRow).some((root) =>
          contains(wireText(root.attributes, [condition.value, "value"]), condition.needle),
        );
      case "no parent": {
        const row = this.rowOf(condition.scope) as SpanRow | null;
        return row === null || parentOf(row) === null;
      }
      case "holds":
        return this.boolean(condition.value);
      case "annotated":
        return (this.bound.get(`${condition.owner} ${condition.name}`) ?? null) !== null;
      case "disputed":
        return this.isDisputed(this.bound.get(`${condition.owner} ${condition.name}`) ?? null);
      case "any":
      case "all": {
        const truths = this.elements(condition, () => this.truth(condition.predicate));
        return condition.kind === "any"
          ? truths.some((truth) => truth === true)
          : truths.every((truth) => truth === true);
      }
    }
  }

  private all(truths: readonly Truth[]): Truth {
    if (truths.includes(false)) return false;
    return truths.includes(null) ? null : true;
  }

  private compared({ comparator, type, left, right }: Extract<Condition, { kind: "comparison" }>): Truth {
    let order: number | null;
    if (type === "number" || type === "timestamp") order = compareNumbers(this.number(left), this.number(right));
    else if (type === "boolean")
      order = ordered(this.boolean(left), this.boolean(right), (a, b) => Number(a) - Number(b));
    else order = ordered(this.text(left), this.text(right), (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    if (order === null) return null;
    const answers = {
      "==": order === 0,
      "!=": order !== 0,
      "<": order < 0,
      "<=": order <= 0,
      ">": order > 0,
      ">=": order >= 0,
    };
    return answers[comparator];
  }

  private among({ type, value, members }: Extract<Condition, { kind: "among" }>): Truth {
    const equalities = members.map((member) =>
      this.compared({ kind: "comparison", comparator: "==", type, left: value, right: member }),
    );
    return not(this.all(equalities.map(not)));
  }

  private isMissing(value: Value): boolean {
    switch (value.kind) {
      case "literal":
        return value.type === "null";
      case "attribute":
        return value.reading === "number" ? this.number(value) === null : this.json(value) === null;
      case "condition":
        return this.truth(value.condition) === null;
      case "joined":
        return this.text(value) === null;
      case "annotation":
        return this.annotation(value) === null;
      case "field":
        if (value.field.type === "text") return this.text(value) === null;
        return value.field.type === "boolean" ? this.boolean(value) === null : this.number(value) === null;
      default:
        return this.number(value) === null;
    }
  }

  /** What `read` gives for each element for which every condition holds. */
  private elements<Read>(iteration: Iteration, read: () => Read): Read[] {
    const { inner, where } = iteration;
    const results: Read[] = [];
    for (const element of this.collected(iteration)) {
      this.rows.set(inner.id, element);
      if (where.every((condition) => this.truth(condition) === true)) results.push(read());
    }
    this.rows.delete(inner.id);
    return results;
  }

  private collected({ collection: { name }, of }: Iteration): readonly Row[] {
    const row = this.rows.get(of.id)!;
    const spans =
      row.grain === "session" ? row.traces.flatMap((trace) => trace.spans) : row.grain === "trace" ? row.spans : [];
    if (name === "spans") return spans;
    if (name === "traces") return (row as SessionRow).traces;
    const own = row as SpanRow;
    const siblings = () => own.trace.spans.filter(({ span }) => span.parentKey === own.span.parentKey);
    if (name === "children") return own.trace.spans.filter(({ span }) => span.parentKey === own.span.spanKey);
    if (name === "siblings") return parentOf(own) === null ? [] : siblings().filter((each) => each !== own);
    if (name.endsWith("cost_details"))
      return (row.grain === "span" ? [row] : spans).flatMap(({ costs }) =>
        (costs?.details ?? []).map((detail) => ({ grain: "cost detail", detail }) as const),
      );
    const keys =
      name === "span_annotations"
        ? spans.map(({ span }) => span.spanKey)
        : [row.grain === "span" ? row.span.spanKey : (row as TraceRow).key];
    const owner = name === "span_annotations" || name === "annotations" ? "span" : row.grain;
    return this.data.annotations
      .filter((each) => each.owner === owner && keys.includes(each.key))
      .map((annotation) => ({ grain: "annotation", annotation }) as const);
  }

  private rowOf(scope: Scope): Row | null {
    if (scope.parentOf === undefined) return this.rows.get(scope.id)!;
    return parentOf(this.rows.get(scope.parentOf.id) as SpanRow);
  }

  // Values

  private boolean(value: Value): Truth {
    if (value.kind === "condition") return this.truth(value.condition);
    if (value.kind === "literal") return value.type === "boolean" ? value.value : null;
    if (value.kind === "attribute") return readBoolean(this.json(value));
    return (this.rows.get((value as Extract<Value, { kind: "field" }>).scope.id) as { detail: CostDetail }).detail
      .isPrompt;
  }

  private text(value: Value): string | null {
    switch (value.kind) {
      case "literal":
        return value.type === "text" ? value.value : null;
      case "attribute":
        return readText(this.json(value));
      case "joined": {
        const [left, right] = [this.text(value.left), this.text(value.right)];
        return left === null || right === null ? null : left + right;
      }
      case "annotation":
        return this.annotation(value) as string | null;
      case "field": {
        const row = this.rowOf(value.scope);
        return row === null ? null : textField(row, value.field);
      }
      default:
        throw new Error(`A ${value.kind} is no text`);
    }
  }

  private number(value: Value): Numeric | null {
    switch (value.kind) {
      case "literal":
        if (value.type === "number") return { form: "literal", value: value.value, exact: value.exact };
        return value.type === "timestamp" ? { form: "exact", ...value.exact } : null;
      case "attribute":
        return readNumber(this.json(value));
      case "arithmetic": {
        const [left, right] = [this.number(value.left), this.number(value.right)];
        if (left === null || right === null) return null;
        return value.operator === "+" || value.operator === "-"
          ? addNumbers(left, right, value.operator)
          : divided(left, right, value.operator);
      }
      case "negative": {
        const operand = this.number(value.operand);
        return operand === null ? null : negate(operand);
      }
      case "count":
        return { form: "exact", units: BigInt(this.elements(value, () => 1).length), scale: 0 };
      case "reduction": {
        const elements = this.elements(value, () => this.number(value.element));
        return reduced(
          value.reduction,
          elements.filter((element) => element !== null),
        );
      }
      case "annotation": {
        const score = this.annotation(value) as number | null;
        return score === null ? null : { form: "double", value: score };
      }
      case "field": {
        const row = this.rowOf(value.scope);
        return row === null ? null : numberField(row, value.field);
      }
      default:
        throw new Error(`A ${value.kind} is no number`);
    }
  }

  private annotation({ owner, name, member }: Extract<Value, { kind: "annotation" }>): string | number | null {
    return this.bound.get(`${owner} ${name}`)?.[member] ?? null;
  }

  private isDisputed(annotation: AnnotationRow | null): boolean {
    if (annotation === null) return false;
    const { owner, key, name } = annotation;
    const same = this.data.annotations.filter((each) => each.owner === owner && each.key === key && each.name === name);
    const [people, programs] = [
      same.filter(({ annotatorKind }) => annotatorKind === "HUMAN"),
      same.filter(({ annotatorKind }) => annotatorKind !== "HUMAN"),
    ];
    return people.some((person) =>
      programs.some((program) => {
        if (person.label !== null && program.label !== null) return person.label !== program.label;
        if (person.score === null || program.score === null) return false;
        return person.score < 0.5 !== program.score < 0.5;
      }),
    );
  }

  private json({ scope, paths }: Extract<Value, { kind: "attribute" }>): Json {
    const row = this.rows.get(scope.id)!;
    const root = row.grain === "span" ? row : representative(row as TraceRow | SessionRow);
    if (root === undefined) return null;
    for (const path of paths) {
      const found = valueAt(root.attributes, path);
      if (found !== null) return found;
    }
    return null;
  }
}

function not(truth: Truth): Truth {
  return truth === null ? null : !truth;
}

function ordered<Kind>(
  left: Kind | null,
  right: Kind | null,
  compare: (left: Kind, right: Kind) => number,
): number | null {
  return left === null || right === null ? null : compare(left, right);
}

function contains(haystack: string | null, needle: string | null): Truth {
  return haystack === null || needle === null ? null : containsFolded(haystack, foldCase(needle));
}
