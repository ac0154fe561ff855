// What the copy of a database file is called while it is not whole.

/** With the id of the process: two that copy at once do not write into the same file. */
export function partialCopy(target: string, processId: number): string {
  return `${target}.${processId}.partial`;
}
