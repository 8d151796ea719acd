/**
 * Returns and clears the warnings and errors printed so far in this test, as `'warn: the
 * text'` and `'error: the text'`. Warnings that a test does not take make it fail.
 */
export declare const takeWarnings: () => string[]

/**
 * Records warnings and errors that code prints, and Node's process warnings, until the
 * returned function is called. The setup file does this for every test.
 */
export declare const recordWarnings: () => () => void
