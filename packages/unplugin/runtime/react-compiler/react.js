// Replaces the runtime of React Compiler in React 19.
import { use } from 'react'
// @ts-expect-error The types of React do not have it.
import { c as createCache } from 'react/compiler-runtime'
import { withMessages } from './cache.js'

export const c = withMessages(createCache, use)
