// Names of prompts and tags, checked as they are typed. The server decides.

const MOST_CHARACTERS = 1024;

export function isName(typed: string): boolean {
  return typed.length <= MOST_CHARACTERS && /^[a-z0-9]([_a-z0-9-]*[a-z0-9])?$/.test(typed);
}
