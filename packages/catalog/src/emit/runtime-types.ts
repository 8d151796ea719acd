import { declarationFile } from '../runtime-files.ts'
import { emitProjectTypes, type ProjectTypesConfig } from './project-types.ts'

/** Emits the declarations of the runtime. */
export const emitRuntimeTypes = (config: ProjectTypesConfig): string =>
  `${emitProjectTypes(config)}${declarationFile('runtime')}`

/**
 * Emits the runtime declarations of a program without a bundler, including those for
 * servers.
 */
export const emitProgramRuntimeTypes = (config: ProjectTypesConfig): string =>
  `${emitRuntimeTypes(config)}
${declarationFile('localizer')}`
