#!/usr/bin/env node
// Old versions of Node must be able to parse this file.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error('Node 20.19 or later is needed (this is ' + process.versions.node + ').')
  process.exitCode = 2
} else {
  import('../dist/bin.js')
}
