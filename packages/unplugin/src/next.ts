export { withUilm, type NextConfigFunction } from './next/with-uilm.ts'
