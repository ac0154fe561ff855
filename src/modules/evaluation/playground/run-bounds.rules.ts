// How much one request may try, for the server and the pages.

export const MAX_VARIANTS = 8;
export const MAX_REPETITIONS = 100;
