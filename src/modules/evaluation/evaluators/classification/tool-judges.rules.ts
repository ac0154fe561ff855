// Judges of tool calls: which tool was chosen, how it was called, and what was made of its result.
import { type ClassificationConfig, judgePrompt, tagged, toolCallsOf } from "./classification-config.rules.ts";

const availableTools = tagged("available_tools", "{{#available_tools}}\n{{.}}\n{{/available_tools}}");
const toolSelection = tagged("tool_selection", toolCallsOf("tool_selection"));

export const toolJudges: readonly ClassificationConfig[] = [
  {
    name: "tool_invocation",
    description: "Whether the tools were called with the right arguments.",
    optimizationDirection: "MAXIMIZE",
    choices: { correct: 1, incorrect: 0 },
    isPromoted: true,
    prompt: judgePrompt(
      "You judge how tools were called: the arguments, not whether these were the right tools to call.",
      `- correct: every call names a tool of the list, gives each required argument, each with a value of the declared type and meaning,
  and takes the values from the request without changing or inventing any.
- incorrect: an argument is missing, unknown, of a wrong type, in a wrong unit or format, made up, or not what the request says; or the
  call cannot be read.`,
      `${tagged("input")}\n\n${availableTools}\n\n${toolSelection}`,
    ),
  },
  {
    name: "tool_response_handling",
    description: "Whether the answer makes the right use of what a tool returned.",
    optimizationDirection: "MAXIMIZE",
    choices: { correct: 1, incorrect: 0 },
    isPromoted: false,
    prompt: judgePrompt(
      "You judge what was made of the result of a tool.",
      `- correct: the answer uses the values of the result as they are, says what they mean for the request, tells of an error or an empty
  result instead of hiding it, and shows nothing of the result that was not meant for the user.
- incorrect: it misreads, changes, ignores or makes up values, draws a conclusion that the result does not allow, or treats a failed call
  as if it had succeeded.`,
      `${tagged("input")}\n\n${tagged("tool_call")}\n\n${tagged("tool_result")}\n\n${tagged("output")}`,
    ),
  },
  {
    name: "tool_selection",
    description: "Whether the right tools were chosen for the request.",
    optimizationDirection: "MAXIMIZE",
    choices: { correct: 1, incorrect: 0 },
    isPromoted: true,
    prompt: judgePrompt(
      "You judge which tools were chosen: not their arguments, and not what came of the calls.",
      `- correct: the chosen tools are the ones of the list that the request needs, none is missing and none is superfluous; or no tool was
  chosen, and none would help.
- incorrect: another tool fits better, a needed tool was not called, a call serves no purpose, or the tool is not in the list.`,
      `${tagged("input")}\n\n${availableTools}\n\n${toolSelection}`,
    ),
  },
];
