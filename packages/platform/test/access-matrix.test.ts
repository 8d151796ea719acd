import { createPlatform } from '../src/index.ts'
import { describeAccessMatrix } from './access-matrix.ts'

describeAccessMatrix(createPlatform)
