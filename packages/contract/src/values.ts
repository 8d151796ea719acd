import { z } from 'zod'

/** Types of members that several groups of operations share. */
export const optionalString = z.string().nullish()
export const optionalBoolean = z.boolean().nullish()
/** Code of an enumeration; unknown codes are accepted. */
export const optionalCode = z.int32().min(0).nullish()
export const strings = z.array(z.string())
