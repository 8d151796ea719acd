#!/usr/bin/env node
// Old versions of Node must be able to parse this file.
const [major, minor] = process.versions.node.split('.').map(Number)
if ((major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22) {
  import('../dist/bin.js')
} else {
  const found = 'this is ' + process.versions.node
  console.error('Node 20.19 or later, or 22.12 or later, is needed (' + found + ').')
  process.exitCode = 2
}
