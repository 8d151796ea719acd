/** The editor has no declarations for this file. */
declare module 'monaco-editor/languages/features/typescript/tsMode.js' {
  export { getTypeScriptWorker } from 'monaco-editor/languages/features/typescript/register.js'
}
