import { createPlatform } from '../src/index.ts'
import { describeAccessMatrix } from '@servicekit/testing/access-matrix'

describeAccessMatrix(createPlatform, true)
