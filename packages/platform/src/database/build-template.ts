import { copyFile } from 'node:fs/promises'
import { templateUrl } from '../assets.ts'
import { cachedTemplate } from './database-template.ts'

// Run by the build.
await copyFile(await cachedTemplate(), templateUrl)
