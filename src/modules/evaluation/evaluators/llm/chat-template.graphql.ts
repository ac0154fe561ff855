// Templates filled with values, in GraphQL: for the playground, and for trying the mapping of an evaluator.
import { CHARACTERS_PER_VALUE } from "../../../../graphql/call.ts";
import { argumentRefused } from "../../../../graphql/connection.ts";
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import { isJsonObject, type Json, type JsonObject, parseSentJson } from "../../../../kernel/json.ts";
import { chatTemplateType } from "../../prompts/content/prompt-content.graphql.ts";
import { chatTemplateInput, templateOf } from "../../prompts/content/prompt-inputs.graphql.ts";
import { filledTemplate } from "../../prompts/content/template-filling.rules.ts";
import { templateOptionsInput } from "../../prompts/prompts.graphql.ts";
import { inputMappingInput, inputMappingOf } from "../mapping/input-mapping.graphql.ts";
import { mapInputs } from "../mapping/input-mapping.rules.ts";
import { castInputs } from "../mapping/input-schema.rules.ts";
import { promptInputSchema } from "./evaluator-prompt.rules.ts";

/** Of one chat with the values in place. */
const MAX_FILLED_CHARACTERS = 4 * 1024 * 1024;

export function addChatTemplateQuery(types: GraphqlTypes): void {
  types.builder.queryField("applyChatTemplate", (t) =>
    t.field({
      type: chatTemplateType(types),
      description:
        "The messages with the values in the place of the variables. One without a value is refused. With an input mapping, the " +
        "variables are the context that it reads.",
      may: "prompts.read",
      args: {
        template: t.arg({ type: chatTemplateInput(types), required: true }),
        templateOptions: t.arg({ type: templateOptionsInput(types), required: true }),
        inputMapping: t.arg({ type: inputMappingInput(types) }),
      },
      resolve: (_root, { template, templateOptions: { variables, format }, inputMapping }, call) => {
        const context = variablesOf(variables as Json);
        const chat = templateOf(template);
        let values = context;
        if (inputMapping != null) {
          const schema = promptInputSchema(chat.messages, format);
          values = castInputs(schema, mapInputs(inputMappingOf(inputMapping), Object.keys(schema.properties), context));
        }
        // What another field of the request filled counts, too.
        call.charge(0);
        const filled = filledTemplate(chat, format, values, MAX_FILLED_CHARACTERS);
        call.charge(Math.ceil(filled.characters / CHARACTERS_PER_VALUE));
        return filled.chat;
      },
    }),
  );
}

/** Throws kind `invalid`. */
function variablesOf(given: Json): JsonObject {
  if (isJsonObject(given)) return given;
  if (typeof given !== "string") {
    throw argumentRefused("templateOptions.variables", "Variables must be a dictionary or a string of one");
  }
  let parsed: Json = null;
  try {
    parsed = parseSentJson(given);
  } catch (error) {
    throw argumentRefused("templateOptions.variables", (error as Error).message);
  }
  if (!isJsonObject(parsed)) {
    throw argumentRefused("templateOptions.variables", "Variables JSON string must parse to a dictionary");
  }
  return parsed;
}
