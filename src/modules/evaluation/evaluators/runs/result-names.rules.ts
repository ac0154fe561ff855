// How results of evaluators are called.

/** One name an output: that of the evaluator, followed by that of the output if there are several. */
export function resultNames(evaluator: string, outputs: readonly { readonly name: string }[]): string[] {
  return outputs.length === 1 ? [evaluator] : outputs.map(({ name }) => `${evaluator}.${name}`);
}
