/** The code of a model call that failed because its prompt was too long for the model. */
export const tooLong = 'context_length_exceeded';
