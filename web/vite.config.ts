import { createHash } from 'node:crypto'
import { copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { siteOf } from './src/docs/site'

/** Makes pages of the documents (src/docs). */
function documents(): Plugin {
  const nameOf = (bytes: string) =>
    `assets/documents-${createHash('sha256').update(bytes).digest('base64url').slice(0, 8)}.json`
  return {
    name: 'documents',
    apply: 'build',
    generateBundle(_, bundle) {
      const entry = Object.values(bundle).find((one) => one.type === 'chunk' && one.isEntry && one.name === 'docs')
      const style = entry?.type === 'chunk' && [...(entry.viteMetadata?.importedCss ?? [])][0]
      if (!entry || !style) throw new Error('the documents have no script, or no style')
      const parts = { script: `/${entry.fileName}`, style: `/${style}` }
      for (const { name, bytes } of siteOf('..', parts, nameOf)) {
        this.emitFile({ type: 'asset', fileName: name, source: bytes })
      }
    },
  }
}

/** Puts the API's document among the files, and x.br and x.gz beside each x that they make smaller. */
function compressed(): Plugin {
  let folder = ''
  return {
    name: 'compressed',
    apply: 'build',
    configResolved: (config) => void (folder = config.build.outDir),
    closeBundle() {
      copyFileSync('../docs/openapi.json', join(folder, 'openapi.json'))
      for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
        const path = join(folder, name)
        if (!statSync(path).isFile() || /\.(br|gz|png|webp|woff2)$/.test(name)) continue
        const bytes = readFileSync(path)
        const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } })
        const gzip = gzipSync(bytes, { level: 9 })
        if (brotli.length < bytes.length) writeFileSync(`${path}.br`, brotli)
        if (gzip.length < bytes.length) writeFileSync(`${path}.gz`, gzip)
      }
    },
  }
}

export default defineConfig({
  plugins: [svelte(), documents(), compressed()],
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    rollupOptions: { input: ['index.html', 'src/docs/docs.ts'] },
    assetsInlineLimit: 0, // a strict Content-Security-Policy allows no data: scripts or styles
  },
  server: {
    fs: { allow: ['.', '../server/core/admin'] }, // commands.json
    proxy: { '/api': 'http://127.0.0.1:8081', '/docs': 'http://127.0.0.1:8081', '/games.rss': 'http://127.0.0.1:8081' },
  },
  test: {
    include: ['src/**/*.test.ts'],
    environment: 'node',
    isolate: false, // a file costs more to load anew than to run
    testTimeout: 300_000, // only what hangs reaches it, on a busy machine, too
    hookTimeout: 300_000,
  },
})
