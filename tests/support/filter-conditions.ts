// Conditions made up by fast-check, in all shapes of the three languages; all of them are accepted.
import fc from "fast-check";
import { oddValues } from "./filter-condition-data.ts";

type Text = fc.Arbitrary<string>;
const one = (...texts: readonly string[]): Text => fc.constantFrom(...texts);
const shaped = (shape: (...parts: string[]) => string, ...parts: Text[]): Text =>
  fc.tuple(...parts).map((each) => shape(...(each as string[])));

const textLiteral = fc
  .oneof(one(...oddValues.filter((value) => typeof value === "string")), fc.string({ unit: "grapheme", maxLength: 6 }))
  .map((text) => JSON.stringify(text.replaceAll("\0", "")));
const numberLiteral = fc.oneof(
  one(
    "0",
    "1",
    "2",
    "3",
    "-1",
    "1.0",
    "0.5",
    "1.5",
    "0.1",
    "0.3",
    "100",
    "1e3",
    "250.25",
    "0.04",
    "1e-7",
    "1e160",
    "1e300",
    "1e21",
    "5e-324",
  ),
  one("0.000000001", "1000000", "9007199254740991", "9223372036854775807", "99999999999999999999", "0.0000000000001"),
  fc.integer({ min: -50, max: 3000 }).map(String),
  fc.double({ min: -1e4, max: 1e4, noNaN: true }).map(String),
);
const ordering = one("<", "<=", ">", ">=");
const equality = one("==", "!=");
const comparator = fc.oneof(ordering, equality);
const timestampLiteral = one(
  "'2024-01-01T00:00:00Z'",
  "'2024-01-01T00:00:30.0000005Z'",
  "'2024-01-01T02:00:10+02:00'",
  "'2024-01-01T00:01:10.001Z'",
  "'1969-12-31T23:59:59-01:00'",
);
/** Short, or so long that PostgreSQL makes a set of it. */
const listOf = (member: Text): Text =>
  fc
    .oneof(fc.array(member, { maxLength: 4 }), fc.array(member, { minLength: 9, maxLength: 12 }))
    .map((members) => `[${members.join(", ")}]`);
const missing = one(" is None", " is not None", " == None", " != None");

/** Conditions out of comparisons, with `and`, `or`, `not`. */
function combined(comparison: Text): Text {
  const { condition } = fc.letrec<{ condition: string }>((tie) => ({
    condition: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      comparison,
      shaped(
        (left, operator, right) => `(${left} ${operator} ${right})`,
        tie("condition"),
        one("and", "or"),
        tie("condition"),
      ),
      shaped((operand) => `not (${operand})`, tie("condition")),
      shaped((operand, value) => `(${operand}) == ${value}`, tie("condition"), one("True", "False")),
      shaped((operand) => `(${operand}) is None`, tie("condition")),
    ),
  }));
  return condition;
}

/** Arithmetic out of numbers. */
function computed(number: Text): Text {
  const { value } = fc.letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { depthSize: "xsmall", withCrossShrink: true },
      number,
      numberLiteral,
      shaped(
        (left, operator, right) => `(${left} ${operator} ${right})`,
        tie("value"),
        one("+", "-", "*", "/", "%"),
        tie("value"),
      ),
      shaped((operand) => `-(${operand})`, tie("value")),
    ),
  }));
  return value;
}

// What elements of comprehensions are asked

const detailNumber = one("d.cost", "d.tokens", "d.cost_per_token");
const detailCondition = combined(
  fc.oneof(
    shaped((a, op, b) => `${a} ${op} ${b}`, computed(detailNumber), comparator, fc.oneof(numberLiteral, detailNumber)),
    shaped((a, b) => `${a}${b}`, detailNumber, missing),
    one(
      "d.is_prompt",
      "not d.is_prompt",
      "d.is_prompt == False",
      "d.token_type == 'input'",
      "'CACHE' in d.token_type",
      "d.token_type in ['output', 'audio']",
    ),
  ),
);

function details(collection: string): { condition: Text; number: Text } {
  const clause = fc.oneof(
    fc.constant(""),
    shaped((condition) => ` if ${condition}`, detailCondition),
  );
  return {
    condition: shaped(
      (name, condition, where) => `${name}(${condition} for d in ${collection}${where})`,
      one("any", "all"),
      detailCondition,
      clause,
    ),
    number: fc.oneof(
      shaped((where) => `len([d for d in ${collection}${where}])`, clause),
      shaped(
        (name, field, where) => `${name}(${field} for d in ${collection}${where})`,
        one("sum", "max", "min"),
        one("d.cost", "d.tokens"),
        clause,
      ),
      shaped(
        (name, value, where) => `${name}(${value} for d in ${collection}${where})`,
        one("max", "min"),
        computed(detailNumber),
        clause,
      ),
    ),
  };
}

const annotationElement = combined(
  fc.oneof(
    shaped((op, b) => `a.score ${op} ${b}`, comparator, numberLiteral),
    shaped((field, op, b) => `a.${field} ${op} ${b}`, one("label", "name", "identifier"), equality, textLiteral),
    shaped((field, op, b) => `${b} ${op} a.${field}`, one("label", "identifier"), one("in", "not in"), textLiteral),
    shaped((field, b) => `a.${field}${b}`, one("score", "label", "identifier"), missing),
    one("a.name == 'q'", "a.label == 'good'", "a.identifier == 'rev-1'", "a.annotator_kind != 'HUMAN'"),
  ),
);

/** The elements of a collection of annotations. */
function annotations(collection: string): { condition: Text; number: Text } {
  const clause = fc.oneof(
    fc.constant(""),
    shaped((condition) => ` if ${condition}`, annotationElement),
  );
  return {
    condition: shaped(
      (name, condition, where) => `${name}(${condition} for a in ${collection}${where})`,
      one("any", "all"),
      annotationElement,
      clause,
    ),
    number: fc.oneof(
      shaped((where) => `len([a for a in ${collection}${where}])`, clause),
      shaped((name, where) => `${name}(a.score for a in ${collection}${where})`, one("sum", "max", "min"), clause),
    ),
  };
}

/** Annotations by name, of the accessors. */
function named(...accessors: readonly string[]): { text: Text; number: Text; condition: Text } {
  const annotation = shaped(
    (accessor, name) => `${accessor}[${name}]`,
    one(...accessors),
    one("'q'", '"it\'s"', "'nope'"),
  );
  const text = shaped((of, member) => `${of}.${member}`, annotation, one("label", "explanation", "identifier"));
  return {
    text,
    number: shaped((of) => `${of}.score`, annotation),
    condition: fc.oneof(
      annotation,
      shaped((of) => `not ${of}`, annotation),
      shaped((is, of) => `${is}${of}.disputed`, one("", "not "), annotation),
      shaped((of, op) => `${of}.label ${op} 'good'`, annotation, equality),
      shaped((of, op, b) => `${of}.score ${op} ${b}`, annotation, comparator, numberLiteral),
      shaped((of, op) => `${of}.identifier ${op} 'rev-1'`, annotation, equality),
      shaped(
        (of, first, second, op, b) => `(${of}.${first} and ${of}.${second} and ${of}.score ${op} ${b})`,
        annotation,
        one("identifier == ''", "identifier == 'rev-1'", "explanation is None"),
        one("label != 'good'", "label is None", "explanation is not None"),
        ordering,
        one("-2", "0", "1.5", "3"),
      ),
    ),
  };
}

// Spans

const spanAnnotations = named("annotations", "evals", "trace_annotations");
const costs = details("cost_details");
const attribute = one(
  "x",
  "y.z",
  "num",
  "flag",
  "attributes['x']",
  "attributes['y']['z']",
  "metadata['mixed']",
  "metadata.n",
  "attributes['x'][0]",
  "attributes['x'][1][1]",
  "attributes['x']['k']",
  "attributes['x'][0]['k']",
  "attributes['x']['k']['0']",
  'attributes["odd key\'s \\"name\\""]',
  "nosuch.attribute",
  "metadata",
  "llm.model_name",
  "user.id",
  "input.value",

  "tag.tags",
);
const spanText = one(
  "name",
  "status_message",
  "span_id",
  "trace_id",
  "parent_id",
  "span_kind",
  "status_code",
  "str(span_kind)",
);
const textOrAttribute = fc.oneof(
  spanText,
  spanAnnotations.text,
  attribute,
  shaped((each) => `str(${each})`, attribute),
  shaped((a, b) => `(${a} + ${b})`, spanText, fc.oneof(textLiteral, attribute)),
);
const spanNumber = fc.oneof(
  one(
    "latency_ms",
    "total_cost",
    "prompt_cost",
    "completion_cost",
    "cumulative_llm_token_count_total",
    "cumulative_token_count.prompt",
    "llm.token_count.prompt",
    "llm.token_count.completion",
  ),
  shaped((each) => `float(${each})`, attribute),
  costs.number,
  spanAnnotations.number,
);
const spanComparison = fc.oneof(
  shaped((a, op, b) => `${a} ${op} ${b}`, computed(spanNumber), comparator, computed(spanNumber)),
  shaped((a, op, b) => `${a} ${op} ${b}`, attribute, comparator, computed(numberLiteral)),
  shaped((a, op, b) => `${b} ${op} ${a}`, attribute, comparator, numberLiteral),
  shaped((a, op, b) => `${a} ${op} ${b}`, attribute, comparator, attribute),
  shaped((a, op, b) => `${a} ${op} ${b}`, textOrAttribute, comparator, textLiteral),
  shaped((a, op, b) => `${a} ${op} ${b}`, textOrAttribute, equality, textOrAttribute),
  shaped((a, op, b) => `${a} ${op} ${b}`, attribute, one("==", "!=", "is", "is not"), one("True", "False")),
  shaped((a, op, b) => `${a} ${op} ${b}`, textOrAttribute, one("in", "not in"), listOf(textLiteral)),
  shaped((a, op, b) => `${a} ${op} ${b}`, fc.oneof(attribute, spanNumber), one("in", "not in"), listOf(numberLiteral)),
  shaped((a, op, b) => `${a} ${op} ${b}`, attribute, one("in", "not in"), listOf(one("True", "False"))),
  shaped(
    (a, op, b) => `${b} ${op} ${a}`,
    textOrAttribute.filter((text) => !text.startsWith("(")),
    one("in", "not in"),
    fc.oneof(textLiteral, spanText, one("x", "y.z")),
  ),
  shaped(
    (a, b) => `${a}${b}`,
    fc.oneof(textOrAttribute, computed(spanNumber), attribute, one("start_time", "parent_span")),
    missing,
  ),
  shaped(
    (a, op, b) => `${a} ${op} ${b}`,
    one("start_time", "end_time"),
    comparator,
    fc.oneof(timestampLiteral, one("start_time", "end_time")),
  ),
  shaped((a, op, b) => `${a} ${op} ${b}`, one("start_time", "end_time"), one("in", "not in"), listOf(timestampLiteral)),
  shaped(
    (a, op, b, next, c) => `${a} ${op} ${b} ${next} ${c}`,
    numberLiteral,
    ordering,
    fc.oneof(one("latency_ms"), attribute),
    ordering,
    numberLiteral,
  ),
  costs.condition,
  spanAnnotations.condition,
);

// Traces and sessions

const strictAttribute = one(
  "attributes['x']",
  "attributes['y.z']",
  "attributes['y']['z']",
  "metadata['mixed']",
  "metadata['n']",
  "user.id",
  "attributes['x'][0]",
  "attributes['nosuch']",
  "attributes['input']",
);

function strictComparison(terms: { text: Text; number: Text; timestamp: Text; condition: Text }): Text {
  const number = computed(
    fc.oneof(
      terms.number,
      shaped((each) => `float(${each})`, strictAttribute),
    ),
  );
  const text = fc.oneof(
    terms.text,
    strictAttribute,
    shaped((each) => `str(${each})`, strictAttribute),
  );
  return fc.oneof(
    shaped((a, op, b) => `${a} ${op} ${b}`, number, comparator, number),
    shaped((a, op, b) => `${a} ${op} ${b}`, strictAttribute, comparator, fc.oneof(numberLiteral, strictAttribute)),
    shaped((a, op, b) => `${a} ${op} ${b}`, text, equality, fc.oneof(textLiteral, text)),
    shaped((a, op, b) => `${a} ${op} ${b}`, strictAttribute, equality, one("True", "False")),
    shaped((a, op, b) => `${a} ${op} ${b}`, text, one("in", "not in"), listOf(textLiteral)),
    shaped(
      (a, op, b) => `${a} ${op} ${b}`,
      fc.oneof(terms.number, strictAttribute),
      one("in", "not in"),
      listOf(numberLiteral.filter((each) => !each.startsWith("-"))),
    ),
    shaped((a, op, b) => `${b} ${op} ${a}`, text, one("in", "not in"), textLiteral),
    shaped((a, b) => `${a}${b}`, fc.oneof(text, number, terms.timestamp), missing),
    shaped((a, op, b) => `${a} ${op} ${b}`, terms.timestamp, comparator, fc.oneof(timestampLiteral, terms.timestamp)),
    terms.condition,
  );
}

const quantified = (variable: string, collection: string, condition: Text): Text =>
  shaped(
    (name, each, where) => `${name}(${each} for ${variable} in ${collection}${where})`,
    one("any", "all"),
    condition,
    fc.oneof(
      fc.constant(""),
      shaped((each) => ` if ${each}`, condition),
    ),
  );

const elementComparison = (v: string): Text =>
  fc.oneof(
    shaped(
      (a, op, b) => `${v}.${a} ${op} ${b}`,
      one("latency_ms", "llm_token_count_total", "llm_token_count_prompt"),
      comparator,
      numberLiteral,
    ),
    shaped(
      (a, op, b) => `${v}.${a} ${op} ${b}`,
      one("name", "span_kind", "status_code"),
      equality,
      fc.oneof(textLiteral, one("'llm'", "'error'", "'guard'")),
    ),
    shaped((a, op, b) => `${b} ${op} ${v}.${a}`, one("name", "span_kind"), one("in", "not in"), textLiteral),
    shaped((a, b) => `${v}.${a} in ${b}`, one("name", "status_code"), listOf(fc.oneof(textLiteral, one("'ok'")))),
    shaped((a, b) => `${v}.${a}${b}`, one("name", "llm_token_count_prompt"), missing),
  );
const spanElement = (v: string): Text =>
  fc.oneof(
    elementComparison(v),
    shaped(
      (a, op, b) => `${v}.${a} ${op} ${b}`,
      one("cumulative_error_count", "cumulative_llm_token_count_total"),
      comparator,
      numberLiteral,
    ),
    shaped((a, op, b) => `${v}.${a} ${op} ${b}`, one("start_time", "end_time"), comparator, timestampLiteral),
    shaped(
      (a, b) => `${v}.${a}${b}`,
      one("parent_id", "parent_span", "parent_span.name", "parent_span.latency_ms"),
      missing,
    ),
    shaped(
      (a, op, b) => `${v}.parent_span.${a} ${op} ${b}`,
      one("name", "span_kind"),
      equality,
      fc.oneof(textLiteral, one("'agent'"), fc.constant(`${v}.name`)),
    ),
    shaped((op) => `${v}.latency_ms ${op} ${v}.parent_span.latency_ms`, comparator),
  );
const nestedElement = fc.oneof(
  ...["s.children", "s.siblings", "spans"].map((collection) =>
    quantified(
      "c",
      collection,
      combined(
        fc.oneof(
          spanElement("c"),
          shaped((op) => `c.name ${op} s.name`, equality),
          shaped((op) => `c.latency_ms ${op} s.latency_ms`, comparator),
        ),
      ),
    ),
  ),
  shaped(
    (collection, op, count) => `len([c for c in ${collection}]) ${op} ${count}`,
    one("s.children", "s.siblings"),
    comparator,
    numberLiteral,
  ),
  details("s.cost_details").condition,
  annotations("s.annotations").condition,
);
const traceAnnotations = named("trace_annotations", "root_annotations");
const ofTrace = [annotations("trace_annotations"), annotations("span_annotations")];
const traceDetails = details("span_cost_details");
const sums = one(
  "token_count_prompt",
  "token_count_total",
  "prompt_cost",
  "completion_cost",
  "total_cost",
  "tool_span_count",
  "llm_span_count",
);
const traceComparison = strictComparison({
  text: fc.oneof(one("trace_id", "input", "output"), traceAnnotations.text),
  number: fc.oneof(
    sums,
    traceAnnotations.number,
    ...ofTrace.map(({ number }) => number),
    one("latency_ms", "num_spans", "error_count"),
    traceDetails.number,
    shaped(
      (name, field) => `${name}(s.${field} for s in spans)`,
      one("sum", "max", "min"),
      one("latency_ms", "llm_token_count_total"),
    ),
  ),
  timestamp: fc.oneof(
    one("start_time", "end_time"),
    one("max(s.start_time for s in spans)", "min(s.end_time for s in spans if s.span_kind == 'LLM')"),
  ),
  condition: fc.oneof(
    quantified("s", "spans", combined(spanElement("s"))),
    quantified("s", "spans", nestedElement),
    traceDetails.condition,
    traceAnnotations.condition,
    ...ofTrace.map(({ condition }) => condition),
  ),
});

const sessionAnnotations = named("session_annotations");
const ofSession = [annotations("session_annotations"), annotations("span_annotations")];
const sessionDetails = details("span_cost_details");
const sessionComparison = strictComparison({
  text: fc.oneof(one("session_id", "first_input", "last_output"), sessionAnnotations.text),
  number: fc.oneof(
    sums,
    sessionAnnotations.number,
    ...ofSession.map(({ number }) => number),
    one("duration_ms", "num_traces", "num_traces_with_error"),
    sessionDetails.number,
    shaped((name) => `${name}(t.latency_ms for t in traces)`, one("sum", "max", "min")),
    one("len([s for s in spans if s.span_kind == 'tool'])"),
  ),
  timestamp: one("start_time", "end_time"),
  condition: fc.oneof(
    quantified("s", "spans", combined(elementComparison("s"))),
    quantified(
      "t",
      "traces",
      fc.oneof(
        shaped((op, b) => `t.latency_ms ${op} ${b}`, comparator, numberLiteral),
        shaped((op, b) => `t.start_time ${op} ${b}`, comparator, timestampLiteral),
        quantified("s", "t.spans", combined(elementComparison("s"))),
      ),
    ),
    sessionDetails.condition,
    sessionAnnotations.condition,
    ...ofSession.map(({ condition }) => condition),
    shaped((a, op, b) => `${a} ${op} ${b}`, textLiteral, one("in", "not in"), one("any_input", "any_output")),
  ),
});

export const conditions = {
  span: combined(spanComparison),
  trace: combined(traceComparison),
  session: combined(sessionComparison),
} as const;
