// How long a request that stores something is held while the database is away.

/** What cannot be stored at present is tried again for this long, before the sender is asked to retry: clients wait 10 s for an
 *  answer, and after a refusal for longer than most causes of it last. */
export const HOLD_MILLISECONDS = 8000;
export const HOLD_PAUSE_MILLISECONDS = 100;
