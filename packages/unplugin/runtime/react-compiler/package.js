// Replaces the package with the runtime of React Compiler, for React 17 and 18.
import { useContext } from 'react'
import { c as createCache } from 'react-compiler-runtime'
import { withMessages } from './cache.js'

export * from 'react-compiler-runtime'
export const c = withMessages(createCache, useContext)
