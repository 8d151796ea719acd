/** Matches React's runtime of React Compiler: that of the application, and that of Next.js. */
export const compilerRuntimePath = /[\\/]react[\\/]compiler-runtime\.js$/
