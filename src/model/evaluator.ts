// Kinds of evaluators, for the server and the pages.

/** `BUILTIN` are rules of the server, `LLM` asks a model with a prompt. */
export type EvaluatorKind = "LLM" | "BUILTIN";
