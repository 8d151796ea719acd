export { withUilm, type NextConfigFunction, type NextOptions } from './next/with-uilm.ts'
