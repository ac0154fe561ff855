// Annotation configurations in GraphQL: one type for each kind of control, their lists, and what changes them.
import type { GraphqlCall } from "../../../graphql/call.ts";
import { argumentRefused, BY_NAME, listConnection } from "../../../graphql/connection.ts";
import { requireRowId } from "../../../graphql/ids.ts";
import { optimizationDirectionType } from "../../../graphql/optimization-direction.ts";
import type { GraphqlTypes } from "../../../graphql/types.ts";
import type { TypeWord } from "../../../kernel/ids.ts";
import { storableText } from "../../../kernel/validation-scalars.ts";
import type { AnnotationConfigType, OptimizationDirection } from "../../../model/annotation.ts";
import { PROJECT, type Project } from "../../tracing/projects/projects.schema.ts";
import type { ProjectsService } from "../../tracing/projects/projects.service.ts";
import {
  type AnnotationConfig,
  configWords,
  type LabelChoice,
  MAX_CONFIG_NAME_BYTES,
  type NewAnnotationConfig,
} from "./annotation-configs.schema.ts";
import type { AnnotationConfigsService } from "./annotation-configs.service.ts";
import type { Assignment, ConfigAssignmentsService } from "./config-assignments.service.ts";

interface ConfigTypesServices {
  readonly configs: AnnotationConfigsService;
  readonly assignments: ConfigAssignmentsService;
  readonly projects: ProjectsService;
}

/** The union of the three. */
const CONFIG: TypeWord<AnnotationConfig> = "AnnotationConfig";

type ConfigOf<Type extends AnnotationConfigType> = Extract<AnnotationConfig, { readonly type: Type }>;
const CATEGORICAL: TypeWord<ConfigOf<"CATEGORICAL">> = configWords.CATEGORICAL;
const CONTINUOUS: TypeWord<ConfigOf<"CONTINUOUS">> = configWords.CONTINUOUS;
const FREEFORM: TypeWord<ConfigOf<"FREEFORM">> = configWords.FREEFORM;

export function addAnnotationConfigTypes(types: GraphqlTypes, services: ConfigTypesServices): void {
  const { builder } = types;
  const { configs } = services;
  const Direction = optimizationDirectionType(types);
  addConfigNodes(types, configs, Direction);

  builder.queryField("annotationConfigs", (t) =>
    t.field({
      type: types.connection(CONFIG),
      description: "By name.",
      may: "annotation_configs.read",
      args: types.pagingArguments(),
      resolve: (_root, page, call, info) =>
        listConnection({ call, info }, page, BY_NAME, (request) => configs.listConfigs(call.context, request)),
    }),
  );
  builder.objectField(types.ref(PROJECT), "annotationConfigs", (t) =>
    t.field({
      type: types.connection(CONFIG),
      description: "Those that people judge the traces of the project with, by name.",
      args: { names: t.arg.stringList(), ...types.pagingArguments() },
      resolve: ({ id }, { names, ...page }, call, info) =>
        listConnection({ call, info }, page, BY_NAME, (request) =>
          call.load(configs.listOfProjects, id, { ...request, names: names ?? null }),
        ),
    }),
  );
  addConfigMutations(types, configs, annotationConfigInput(types));
  addAssignmentMutations(types, services);
}

type DirectionRef = ReturnType<typeof optimizationDirectionType>;

function addConfigNodes(types: GraphqlTypes, configs: AnnotationConfigsService, Direction: DirectionRef): void {
  const { builder } = types;
  const Type = builder.enumType("AnnotationType", {
    values: Object.keys(configWords) as readonly AnnotationConfigType[],
  });
  const Base = builder.interfaceRef<AnnotationConfig>("AnnotationConfigBase").implement({
    fields: (t) => ({
      name: t.exposeString("name"),
      description: t.exposeString("description", { nullable: true }),
      annotationType: t.field({ type: Type, resolve: ({ type }) => type }),
    }),
  });
  const Choice = builder.objectRef<LabelChoice>("CategoricalAnnotationValue").implement({
    fields: (t) => ({ label: t.exposeString("label"), score: t.exposeFloat("score", { nullable: true }) }),
  });
  const direction = ({ optimizationDirection }: AnnotationConfig): OptimizationDirection =>
    optimizationDirection ?? "NONE";

  const find = <Type extends AnnotationConfigType>(wanted: Type) => ({
    interfaces: [Base],
    find: async (call: GraphqlCall, id: number) => {
      const config = await call.load(configs.findConfigs, id, null);
      return config?.type === wanted ? (config as ConfigOf<Type>) : null;
    },
  });
  types.defineNode(CATEGORICAL, {
    ...find("CATEGORICAL"),
    fields: (t) => ({
      optimizationDirection: t.field({ type: Direction, resolve: direction }),
      values: t.field({ type: [Choice], resolve: ({ values }) => [...values] }),
    }),
  });
  types.defineNode(CONTINUOUS, {
    ...find("CONTINUOUS"),
    fields: (t) => ({
      optimizationDirection: t.field({ type: Direction, resolve: direction }),
      lowerBound: t.exposeFloat("lowerBound", { nullable: true }),
      upperBound: t.exposeFloat("upperBound", { nullable: true }),
    }),
  });
  types.defineNode(FREEFORM, {
    ...find("FREEFORM"),
    fields: (t) => ({
      optimizationDirection: t.field({ type: Direction, resolve: direction }),
      threshold: t.exposeFloat("threshold", { nullable: true }),
      lowerBound: t.exposeFloat("lowerBound", { nullable: true }),
      upperBound: t.exposeFloat("upperBound", { nullable: true }),
    }),
  });
  // Under its name, so that the connection has it for its nodes.
  types.once(CONFIG, () =>
    builder.unionType(CONFIG, {
      types: [types.ref(CATEGORICAL), types.ref(CONTINUOUS), types.ref(FREEFORM)],
      resolveType: ({ type }) => configWords[type],
    }),
  );
}

/** A configuration as it is sent, of one of the kinds. */
export const annotationConfigInput = (types: GraphqlTypes) =>
  types.once("AnnotationConfigInput", () => configInput(types));

function configInput(types: GraphqlTypes) {
  const { builder } = types;
  const Direction = optimizationDirectionType(types);
  const Choice = builder.inputType("CategoricalAnnotationConfigValueInput", {
    fields: (t) => ({ label: t.string({ required: true }), score: t.float() }),
  });
  const Categorical = builder.inputType("CategoricalAnnotationConfigInput", {
    fields: (t) => ({
      name: t.string({ required: true }),
      description: t.string(),
      optimizationDirection: t.field({ type: Direction, required: true }),
      values: t.field({ type: [Choice], required: true }),
    }),
  });
  const Continuous = builder.inputType("ContinuousAnnotationConfigInput", {
    fields: (t) => ({
      name: t.string({ required: true }),
      description: t.string(),
      optimizationDirection: t.field({ type: Direction, required: true }),
      lowerBound: t.float(),
      upperBound: t.float(),
    }),
  });
  const Freeform = builder.inputType("FreeformAnnotationConfigInput", {
    fields: (t) => ({
      name: t.string({ required: true }),
      description: t.string(),
      optimizationDirection: t.field({ type: Direction }),
      threshold: t.float(),
      lowerBound: t.float(),
      upperBound: t.float(),
    }),
  });
  return builder.inputType("AnnotationConfigInput", {
    isOneOf: true,
    fields: (t) => ({
      categorical: t.field({ type: Categorical }),
      continuous: t.field({ type: Continuous }),
      freeform: t.field({ type: Freeform }),
    }),
  });
}

type ConfigInputRef = ReturnType<typeof configInput>;
type GivenConfig = ConfigInputRef["$inferInput"];

/** Throws kind `invalid` for a name that is too long, and without a kind. */
export function configOfInput({ categorical, continuous, freeform }: GivenConfig): NewAnnotationConfig {
  const common = (given: {
    readonly name: string;
    readonly description?: string | null | undefined;
    readonly optimizationDirection?: OptimizationDirection | null | undefined;
  }) => {
    const { name, description = null, optimizationDirection = null } = given;
    if (Buffer.byteLength(name) > MAX_CONFIG_NAME_BYTES) {
      throw argumentRefused("name", `must not be longer than ${MAX_CONFIG_NAME_BYTES} bytes`);
    }
    return { name, description, optimizationDirection };
  };
  if (categorical) {
    const values = categorical.values.map(({ label, score = null }) => ({ label: storableText(label), score }));
    return { ...common(categorical), type: "CATEGORICAL", values };
  }
  if (continuous) {
    const { lowerBound = null, upperBound = null } = continuous;
    return { ...common(continuous), type: "CONTINUOUS", lowerBound, upperBound };
  }
  if (freeform) {
    const { lowerBound = null, upperBound = null, threshold = null } = freeform;
    return { ...common(freeform), type: "FREEFORM", lowerBound, upperBound, threshold };
  }
  throw argumentRefused("annotationConfig", "exactly one kind must be given");
}

function addConfigMutations(types: GraphqlTypes, configs: AnnotationConfigsService, ConfigInput: ConfigInputRef): void {
  const { builder } = types;
  const Config = types.ref(CONFIG);
  const CreateInput = builder.inputType("CreateAnnotationConfigInput", {
    fields: (t) => ({ annotationConfig: t.field({ type: ConfigInput, required: true }) }),
  });
  const UpdateInput = builder.inputType("UpdateAnnotationConfigInput", {
    fields: (t) => ({
      id: t.id({ required: true }),
      annotationConfig: t.field({ type: ConfigInput, required: true }),
    }),
  });
  const DeleteInput = builder.inputType("DeleteAnnotationConfigsInput", {
    fields: (t) => ({ ids: t.idList({ required: true }) }),
  });
  const written = (name: string) =>
    types.payload<{ readonly config: AnnotationConfig }>(name, (t) => ({
      annotationConfig: t.field({ type: Config, resolve: ({ config }) => config }),
    }));
  const Created = written("CreateAnnotationConfigPayload");
  const Updated = written("UpdateAnnotationConfigPayload");
  const Deleted = types.payload<{ readonly deleted: readonly AnnotationConfig[] }>(
    "DeleteAnnotationConfigsPayload",
    (t) => ({ annotationConfigs: t.field({ type: [Config], resolve: ({ deleted }) => [...deleted] }) }),
  );

  builder.mutationFields((t) => ({
    createAnnotationConfig: t.field({
      type: Created,
      may: "annotation_configs.change",
      adds: true,
      args: { input: t.arg({ type: CreateInput, required: true }) },
      resolve: async (_root, { input }, call) => ({
        config: await configs.createConfig(call.context, configOfInput(input.annotationConfig)),
      }),
    }),
    updateAnnotationConfig: t.field({
      type: Updated,
      description: "Replaces everything; another kind changes the word of the id.",
      may: "annotation_configs.change",
      adds: true,
      args: { input: t.arg({ type: UpdateInput, required: true }) },
      resolve: async (_root, { input }, call) => ({
        config: await configs.updateConfig(call.context, input.id, configOfInput(input.annotationConfig)),
      }),
    }),
    deleteAnnotationConfigs: t.field({
      type: Deleted,
      description: "All or nothing. Annotations of their names stay.",
      may: "annotation_configs.change",
      adds: false,
      args: { input: t.arg({ type: DeleteInput, required: true }) },
      resolve: async (_root, { input }, call) => ({ deleted: await configs.deleteConfigs(call.context, input.ids) }),
    }),
  }));
}

interface GivenPair {
  readonly projectId: string;
  readonly annotationConfigId: string;
}

/** Throws kind `invalid` without any, and for an id that is not one of a project. */
function assignmentsOf(pairs: readonly GivenPair[]): Assignment[] {
  if (pairs.length === 0) throw argumentRefused("input", "must not be empty");
  return pairs.map(({ projectId, annotationConfigId }) => ({
    projectId: requireRowId(PROJECT, projectId),
    configId: annotationConfigId,
  }));
}

function addAssignmentMutations(types: GraphqlTypes, { assignments, projects }: ConfigTypesServices): void {
  const { builder } = types;
  const pair = (name: string) =>
    builder.inputType(name, {
      fields: (t) => ({ projectId: t.id({ required: true }), annotationConfigId: t.id({ required: true }) }),
    });
  const AddInput = pair("AddAnnotationConfigToProjectInput");
  const RemoveInput = pair("RemoveAnnotationConfigFromProjectInput");
  const changed = (name: string) =>
    types.payload<{ readonly project: Project }>(name, (t) => ({
      project: t.field({ type: types.ref(PROJECT), resolve: ({ project }) => project }),
    }));
  const Added = changed("AddAnnotationConfigToProjectPayload");
  const Removed = changed("RemoveAnnotationConfigFromProjectPayload");

  builder.mutationFields((t) => ({
    addAnnotationConfigToProject: t.field({
      type: Added,
      description: "All or nothing; a pair that is there is a conflict. Answers with the project of the last pair.",
      may: "annotation_configs.change",
      adds: true,
      args: { input: t.arg({ type: [AddInput], required: true }) },
      resolve: async (_root, { input }, call) => {
        await assignments.addAssignments(call.context, assignmentsOf(input));
        return { project: await projects.getProject(call.context, input.at(-1)!.projectId) };
      },
    }),
    removeAnnotationConfigFromProject: t.field({
      type: Removed,
      description: "All or nothing; a pair that is not there is not found. Answers with the project of the last pair.",
      may: "annotation_configs.change",
      adds: false,
      args: { input: t.arg({ type: [RemoveInput], required: true }) },
      resolve: async (_root, { input }, call) => {
        await assignments.removeAssignments(call.context, assignmentsOf(input));
        return { project: await projects.getProject(call.context, input.at(-1)!.projectId) };
      },
    }),
  }));
}
