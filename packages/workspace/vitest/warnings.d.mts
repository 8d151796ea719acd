/**
 * Takes the warnings and errors that were printed in this test so far, as
 * `'warn: the text'` and `'error: the text'`. What a test does not take fails it.
 */
export declare const takeWarnings: () => string[]

/**
 * Records what code prints as a warning or an error, and what Node warns of, until
 * the returned function is called. The setup file does it for every test.
 */
export declare const recordWarnings: () => () => void
