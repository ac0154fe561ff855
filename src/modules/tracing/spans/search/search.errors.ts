// What can be wrong with a search.
import { fail } from "../../../../kernel/failure.ts";

export const invalidSearchText = (problem: string) => fail("spans.invalid_search_text", "invalid", `text: ${problem}`);
