/**
 * Modules from which compiled components import their caches: that of React, and for React 17
 * and 18 a package.
 */
const compilerRuntimes = ['react/compiler-runtime', 'react-compiler-runtime'] as const

export type CompilerRuntime = (typeof compilerRuntimes)[number]

/** End of the specifiers of {@link compilerRuntimes}. */
export const compilerRuntimeEnd = 'compiler-runtime'

export const isCompilerRuntime = (specifier: string): specifier is CompilerRuntime =>
  compilerRuntimes.some((one) => one === specifier)
