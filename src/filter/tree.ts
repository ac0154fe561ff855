// What a condition means, typed and free of any database: the compiler turns it into SQL, the tests' evaluator runs it.
// Three-valued throughout: a comparison with a missing value is missing, and what is missing at the end does not match.
import type { ExactNumber } from "./exact-number.ts";
import type { Collection, Field, Grain } from "./field.ts";

/** Where a field is read: the row that is filtered, or the element of a comprehension. */
export interface Scope {
  /** 0 is the row that is filtered; every comprehension has a number of its own. */
  readonly id: number;
  readonly grain: Grain;
  /** The row is the parent of this one, a span of the same trace. */
  readonly parentOf?: Scope;
}

export type ValueType = "text" | "number" | "timestamp" | "boolean" | "null" | "attribute";
/** How the value of an attribute is read (docs/protocol/filters.md#reading-an-attribute). */
export type ValueReading = "text" | "number" | "boolean";
type Ordering = "<" | "<=" | ">" | ">=";
export type Comparator = "==" | "!=" | Ordering;
export type AnnotationMember = "score" | "label" | "explanation" | "identifier";
/** `root` is the root span of a trace. A run of an experiment has evaluations for annotations. */
export type AnnotationOwner = "span" | "trace" | "root" | "session" | "run";
/** Annotations of one name: a condition reads one of them, by all its members. */
export interface AnnotationKey {
  readonly owner: AnnotationOwner;
  readonly name: string;
}

export type Literal =
  | { readonly kind: "literal"; readonly type: "text"; readonly value: string }
  /** `exact` is null for a number with too many digits: then `value` is all there is. */
  | { readonly kind: "literal"; readonly type: "number"; readonly value: number; readonly exact: ExactNumber | null }
  /** Seconds since 1970, with the fraction as written. */
  | { readonly kind: "literal"; readonly type: "timestamp"; readonly exact: ExactNumber }
  | { readonly kind: "literal"; readonly type: "boolean"; readonly value: boolean }
  | { readonly kind: "literal"; readonly type: "null" };

export type Value =
  | Literal
  | { readonly kind: "field"; readonly scope: Scope; readonly field: Field }
  /** The first of several paths that leads to a value; text steps are keys, numbers are positions. Of a run every path begins with the
   *  name of its document (`run-documents.ts`). */
  | {
      readonly kind: "attribute";
      readonly scope: Scope;
      readonly paths: readonly AttributePath[];
      readonly reading: ValueReading;
    }
  | {
      readonly kind: "arithmetic";
      readonly operator: "+" | "-" | "*" | "/" | "%";
      readonly left: Value;
      readonly right: Value;
    }
  | { readonly kind: "negative"; readonly operand: Value }
  | { readonly kind: "joined"; readonly left: Value; readonly right: Value }
  | ({ readonly kind: "reduction"; readonly reduction: "sum" | "max" | "min"; readonly element: Value } & Iteration)
  | ({ readonly kind: "count" } & Iteration)
  | ({ readonly kind: "annotation"; readonly member: AnnotationMember } & AnnotationKey)
  | { readonly kind: "condition"; readonly condition: Condition };

export type AttributePath = readonly (string | number)[];

/** The elements of a collection for which every condition holds. */
export interface Iteration {
  readonly collection: Collection;
  /** Whose elements they are. */
  readonly of: Scope;
  readonly inner: Scope;
  readonly where: readonly Condition[];
}

export type Condition =
  | { readonly kind: "constant"; readonly value: boolean }
  | { readonly kind: "and" | "or"; readonly operands: readonly Condition[] }
  | { readonly kind: "not"; readonly operand: Condition }
  /** Both sides have the type, attributes are read as it. */
  | {
      readonly kind: "comparison";
      readonly comparator: Comparator;
      readonly type: "text" | "number" | "timestamp" | "boolean";
      readonly left: Value;
      readonly right: Value;
    }
  /** Never missing itself. */
  | { readonly kind: "missing"; readonly value: Value }
  | {
      readonly kind: "among";
      readonly type: "text" | "number" | "timestamp" | "boolean";
      readonly value: Value;
      readonly members: readonly Value[];
    }
  /** Text search without regard to case. */
  | { readonly kind: "contains"; readonly haystack: Value; readonly needle: Value }
  /** The input or output of any root span of the session contains the text; never missing. */
  | {
      readonly kind: "any root contains";
      readonly scope: Scope;
      readonly value: "input" | "output";
      readonly needle: string;
    }
  /** The row has no parent among the spans of its trace. */
  | { readonly kind: "no parent"; readonly scope: Scope }
  /** A value of type boolean. */
  | { readonly kind: "holds"; readonly value: Value }
  | ({ readonly kind: "annotated" } & AnnotationKey)
  /** People and programs disagree in it; never missing. */
  | ({ readonly kind: "disputed" } & AnnotationKey)
  | ({ readonly kind: "any" | "all"; readonly predicate: Condition } & Iteration);
