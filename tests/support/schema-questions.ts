// Documents that ask for all fields of a schema, generated from its types: rows stay short where another row points to them.
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
} from "graphql";

export interface QuestionRules {
  /** Values of arguments as documents hold them, by `Type.field.argument`, or by name for those that are required. */
  readonly values: Readonly<Record<string, string>>;
  /** Fields that are not asked for, as `Type.field`. */
  readonly leftOut: ReadonlySet<string>;
  /** Rows of a list below each of many rows. */
  readonly first: number;
}

type Field = GraphQLField<unknown, unknown>;

export const fieldName = (type: GraphQLNamedType, { name }: Field) => `${type.name}.${name}`;
export const isRow = (type: GraphQLNamedType) =>
  isObjectType(type) && type.getInterfaces().some(({ name }) => name === "Node");
const hasEdges = (type: GraphQLNamedType) => isObjectType(type) && "pageInfo" in type.getFields();

export const isList = ({ type }: Field) => isListType(getNullableType(type)) || hasEdges(getNamedType(type));

/** The types of the elements of a list or connection, or of the value that a field answers with; empty for a row. */
export function elementsOf(schema: GraphQLSchema, field: Field): readonly GraphQLObjectType[] {
  const named = getNamedType(field.type);
  if (isObjectType(named) && hasEdges(named)) {
    const edge = getNamedType(named.getFields().edges!.type) as GraphQLObjectType;
    return typesOf(schema, getNamedType(edge.getFields().node!.type));
  }
  const types = typesOf(schema, named);
  return isList(field) || !types.every(isRow) ? types : [];
}

export function typesOf(schema: GraphQLSchema, type: GraphQLNamedType): readonly GraphQLObjectType[] {
  if (isAbstractType(type)) return schema.getPossibleTypes(type);
  return isObjectType(type) ? [type] : [];
}

export function questionsOf(schema: GraphQLSchema, { values, leftOut, first }: QuestionRules) {
  function writtenValue(
    owner: GraphQLNamedType,
    field: Field,
    { name, type }: GraphQLArgument,
    rows: number,
  ): string | null {
    const given = values[`${fieldName(owner, field)}.${name}`] ?? values[name];
    if (given !== undefined) return given;
    if (name === "first") return String(rows);
    const inner = isNonNullType(type) ? type.ofType : type;
    return isEnumType(inner) ? inner.getValues()[0]!.name : null;
  }

  /** The field with its arguments; null where there is no value for one of them. */
  function called(owner: GraphQLNamedType, field: Field, rows = first): string | null {
    const required = field.args.filter(
      (argument) => isRequiredArgument(argument) || `${fieldName(owner, field)}.${argument.name}` in values,
    );
    const written = required.map((argument) => [argument.name, writtenValue(owner, field, argument, rows)] as const);
    if (written.some(([, value]) => value === null)) return null;
    const given = written.map(([name, value]) => `${name}: ${value}`).join(", ");
    return given === "" ? field.name : `${field.name}(${given})`;
  }

  /** Everything below a value; of a row its id. */
  function below(type: GraphQLNamedType, above: readonly string[]): string {
    if (isLeafType(type) || isInputObjectType(type)) return "";
    if (isRow(type)) return "{ __typename id }";
    if (isAbstractType(type)) return `{ ${onEach(type, (each) => below(each, above))} }`;
    if (above.includes(type.name)) return "{ __typename }";
    return `{ __typename ${fieldsOf(type as GraphQLObjectType, () => true, above)} }`;
  }

  const onEach = (type: GraphQLNamedType, textOf: (type: GraphQLObjectType) => string) =>
    `__typename ${typesOf(schema, type)
      .map((each) => `... on ${each.name} ${textOf(each)}`)
      .join(" ")}`;

  /** The chosen fields of a type, those of values down to their leaves. */
  function fieldsOf(
    type: GraphQLObjectType,
    isChosen: (field: string) => boolean = (field) => !leftOut.has(field),
    above: readonly string[] = [],
  ): string {
    return Object.values(type.getFields())
      .filter(
        (field) => isChosen(fieldName(type, field)) && (above.length === 0 || !leftOut.has(fieldName(type, field))),
      )
      .flatMap((field) => {
        const call = called(type, field);
        return call === null ? [] : [`${call} ${below(getNamedType(field.type), [...above, type.name])}`];
      })
      .join(" ");
  }

  /** A field of Query, or of a row, with these fields of what it leads to; null where an argument has no value. */
  function listed(
    owner: GraphQLNamedType,
    field: Field,
    rows: number,
    textOf: (element: GraphQLObjectType) => string,
  ): string | null {
    const call = called(owner, field, rows);
    if (call === null) return null;
    const type = getNamedType(field.type);
    if (!hasEdges(type)) return `${call} { ${onEach(type, (each) => `{ __typename ${textOf(each)} }`)} }`;
    const edge = getNamedType((type as GraphQLObjectType).getFields().edges!.type) as GraphQLObjectType;
    const node = getNamedType(edge.getFields().node!.type);
    return `${call} { edges { cursor node { ${onEach(node, (each) => `{ __typename ${textOf(each)} }`)} } } }`;
  }

  return { called, fieldsOf, listed };
}
