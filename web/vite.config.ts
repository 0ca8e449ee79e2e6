import { createHash } from 'node:crypto'
import { copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import type { Plugin } from 'vite'
import { build } from 'vite'
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
        if (!statSync(path).isFile() || name.startsWith(FILES) || /\.(br|gz|png|webp|woff2)$/.test(name)) continue
        const bytes = readFileSync(path)
        const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } })
        const gzip = gzipSync(bytes, { level: 9 })
        if (brotli.length < bytes.length) writeFileSync(`${path}.br`, brotli)
        if (gzip.length < bytes.length) writeFileSync(`${path}.gz`, gzip)
      }
    },
  }
}

/** Where the pages are once more, as files that need no server (src/site.ts). */
const FILES = 'site/'

/** Makes those: one script that is no module, because a browser takes none from file://. */
function files(): Plugin {
  let folder = ''
  return {
    name: 'files',
    apply: 'build',
    configResolved: (config) => void (folder = config.build.outDir),
    async closeBundle() {
      await build({ mode: 'site', logLevel: 'warn', build: { outDir: join(folder, FILES), emptyOutDir: true } })
    },
  }
}

/** What a page of files has in its head. */
function head(): Plugin {
  return {
    name: 'head',
    transformIndexHtml: {
      order: 'post',
      handler: (html) =>
        html
          .replace('type="module" crossorigin', 'defer')
          .replaceAll(' crossorigin', '')
          .replace(/ *<link rel="(manifest|alternate)".*\n/g, ''),
    },
  }
}

const pages = { rollupOptions: { input: ['index.html', 'src/docs/docs.ts'] } }
const fileOfAll = {
  rollupOptions: { input: 'index.html', output: { format: 'iife', inlineDynamicImports: true } },
  cssCodeSplit: false,
  copyPublicDir: false,
} as const

export default defineConfig(({ mode }) => ({
  plugins: mode === 'site' ? [svelte(), head()] : [svelte(), documents(), compressed(), files()],
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    ...(mode === 'site' ? fileOfAll : pages),
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
}))
