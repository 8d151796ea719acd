// Replaces `scope.js` in browsers, where localizers do not run.

export const scopedLanguage = () => undefined
export const scopedTimeZone = () => undefined
export const runInLanguage = (_, work) => work()
